// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Publicar ana@automotores.example
import java.util.List;
import java.util.Map;

public class Publicar {
    public static void main(String[] args) throws Exception {
        String adminMail = args.length > 0 ? args[0] : "ana@automotores.example";
        List<Map<String, Object>> autos = List.of(
            Map.of(
                "ExternalId", "AB-1023", "Marca", "vw", "Modelo", "amarok", "Version", "V6 Extreme", "VersionYear", 2023,
                "Kilometraje", 21000, "Color", "gris", "Precio", Map.of("Moneda", "USD", "Importe", 42000)),
            Map.of("ExternalId", "AB-1024", "Marca", "fiat", "Modelo", "cronos", "Version", "1.3 drive", "VersionYear", 2022),
            Map.of("ExternalId", "AB-1025", "Marca", "Ford", "Modelo", "Ka", "Color", "color de viento"));

        var lote = Rodado.llamar("POST", "/v3/publicaciones/" + adminMail + "/lote", autos).datos();
        for (var cada : lote.getAsJsonArray("_entries")) {
            var fila = cada.getAsJsonObject();
            String resultado = fila.get("ExternalId").getAsString() + " " + fila.get("Resultado").getAsString();
            System.out.println(resultado + (fila.has("Errors") ? " " + fila.get("Errors") : ""));
        }
    }
}
