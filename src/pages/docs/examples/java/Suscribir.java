// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Suscribir consulta.recibida https://crm.example/notificaciones
import java.util.Map;

public class Suscribir {
    public static void main(String[] args) throws Exception {
        String webhook = "/v3/appnotificaciones/" + (args.length > 0 ? args[0] : "consulta.recibida");
        var cuerpo = Map.of("Callback", args.length > 1 ? args[1] : "https://crm.example/notificaciones");
        try {
            var datos = Rodado.llamar("POST", webhook, cuerpo).datos();
            // Se muestra solo ahora: guárdelo donde lo lea su receptor.
            System.out.println(datos.get("Secret").getAsString());
        } catch (Rodado.Problema problema) {
            if (problema.respuesta.estado() != 409) throw problema;
            // Ya estaba configurado: se reemplaza, y el Secret que no se envía queda como estaba.
            var datos = Rodado.llamar("PUT", webhook, cuerpo).datos();
            System.out.println("ahora va a " + datos.get("Callback").getAsString());
        }
    }
}
