// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Probar consulta.recibida
import com.google.gson.JsonObject;

public class Probar {
    public static void main(String[] args) throws Exception {
        String topic = args.length > 0 ? args[0] : "consulta.recibida";
        // La entrega, en el registro.
        String direccion = Rodado.llamar("POST", "/v3/appnotificaciones/" + topic + "/prueba", null).encabezado("Location");

        JsonObject entrega;
        do {
            Thread.sleep(500);
            entrega = Rodado.llamar("GET", direccion, null).datos();
        } while (entrega.getAsJsonArray("Intentos").isEmpty());

        var intento = entrega.getAsJsonArray("Intentos").get(0).getAsJsonObject();
        var resultado = intento.get("Status").isJsonNull() ? intento.get("Error") : intento.get("Status");
        System.out.println(entrega.get("Estado").getAsString() + " " + resultado + " " + intento.get("DuracionMs") + " ms");
    }
}
