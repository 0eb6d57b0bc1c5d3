// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Traducir 'Bs As' temperlei
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

public class Traducir {
    public static void main(String[] args) throws Exception {
        String state = URLEncoder.encode(args.length > 0 ? args[0] : "Bs As", StandardCharsets.UTF_8);
        String city = URLEncoder.encode(args.length > 1 ? args[1] : "temperlei", StandardCharsets.UTF_8);
        try {
            var respuesta = Rodado.llamar("GET", "/v3/ciudades/bestmatch?state=" + state + "&city=" + city, null);
            String region = respuesta.datos().get("Region").getAsString();
            String nombre = respuesta.datos().get("Nombre").getAsString();
            System.out.println(nombre + " (" + region + ") " + respuesta.encabezado("Match"));
        } catch (Rodado.Problema problema) {
            if (problema.respuesta.estado() != 400) throw problema;
            // No está claro: se ofrece lo que se parece, y decide una persona.
            var candidatos = problema.respuesta.datos().getAsJsonObject("Extensions").getAsJsonArray("Candidatos");
            for (var cada : candidatos) {
                var candidato = cada.getAsJsonObject();
                String title = candidato.get("title").getAsString();
                System.out.println("quizás " + title + " " + candidato.get("href").getAsString());
            }
        }
    }
}
