// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar ConToken
import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.Base64;

public class ConToken {
    static final String URL = System.getenv().getOrDefault("RODADO_URL", "http://127.0.0.1:3000");
    static final HttpClient CLIENTE = HttpClient.newHttpClient();
    static String token = "";
    static Instant vence = Instant.MIN;

    /** Un token sirve una hora: se guarda, y se pide otro un minuto antes de que venza. */
    static String pedirToken() throws Exception {
        if (Instant.now().isBefore(vence)) return token;
        String claves = System.getenv("APP_KEY") + ":" + System.getenv("APP_SECRET");
        var pedido = HttpRequest.newBuilder(URI.create(URL + "/oauth/token"))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(claves.getBytes("UTF-8")))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("grant_type=client_credentials"))
            .build();
        var respuesta = CLIENTE.send(pedido, BodyHandlers.ofString());
        if (respuesta.statusCode() != 200) throw new Exception(respuesta.statusCode() + " " + respuesta.body());
        var dado = new Gson().fromJson(respuesta.body(), JsonObject.class);
        token = dado.get("access_token").getAsString();
        vence = Instant.now().plusSeconds(dado.get("expires_in").getAsLong() - 60);
        return token;
    }

    public static void main(String[] args) throws Exception {
        var pedido = HttpRequest.newBuilder(URI.create(URL + "/v3/colores?q=rojo"))
            .header("Authorization", "Bearer " + pedirToken())
            .build();
        var respuesta = CLIENTE.send(pedido, BodyHandlers.ofString());
        System.out.println(respuesta.statusCode() + " " + respuesta.body());
    }
}
