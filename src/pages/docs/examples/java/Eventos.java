// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Eventos
import java.nio.file.Files;
import java.nio.file.Path;

public class Eventos {
    public static void main(String[] args) throws Exception {
        Path cursor = Path.of("cursor.txt");
        String ruta = Files.exists(cursor) ? Files.readString(cursor) : "/v3/eventos";
        while (true) {
            var datos = Rodado.llamar("GET", ruta, null).datos();
            var eventos = datos.getAsJsonArray("_entries");
            for (var cada : eventos) {
                var evento = cada.getAsJsonObject();
                // Aquí va su trabajo.
                System.out.println(evento.get("Topic").getAsString() + " " + evento.get("Id").getAsString());
            }
            ruta = datos.getAsJsonObject("_links").getAsJsonObject("next").get("href").getAsString();
            Files.writeString(cursor, ruta); // solo cuando el trabajo está hecho
            if (eventos.isEmpty()) break;
        }
    }
}
