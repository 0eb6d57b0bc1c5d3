// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Ensayar (con las claves de API de una app en modo de prueba)
import java.util.Map;

public class Ensayar {
    public static void main(String[] args) throws Exception {
        var agencias = Rodado.llamar("GET", "/v3/agencias", null).datos().getAsJsonArray("_entries");
        String adminMail = agencias.get(0).getAsJsonObject().get("AdminMail").getAsString();

        // Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
        var cuerpo = Map.of("AdminMail", adminMail, "Cantidad", 2);
        var generadas = Rodado.llamar("POST", "/v3/prueba/consultas", cuerpo).datos().getAsJsonArray("_entries");
        for (var cada : generadas) System.out.println("llegó " + cada.getAsJsonObject().get("title").getAsString());

        String direccion = generadas.get(0).getAsJsonObject().get("href").getAsString();
        var datos = Rodado.llamar("GET", direccion, null).datos();
        var auto = datos.getAsJsonObject("Auto");
        String nombre = datos.getAsJsonObject("Interesado").get("Nombre").getAsString();
        String modelo = auto.get("Marca").getAsString() + " " + auto.get("Modelo").getAsString();
        System.out.println(nombre + " pregunta por " + modelo);
    }
}
