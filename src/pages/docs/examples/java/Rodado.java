import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Rodado {
    static final String URL = System.getenv().getOrDefault("RODADO_URL", "http://127.0.0.1:3000");
    static final HttpClient CLIENTE = HttpClient.newHttpClient();
    static final Gson JSON = new Gson();
    static final DateTimeFormatter FECHA = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    public record Respuesta(int estado, HttpHeaders encabezados, JsonObject datos) {
        public String encabezado(String nombre) {
            return encabezados.firstValue(nombre).orElse("");
        }
    }

    /** Un rechazo: Title y Detail dicen qué pasó; Errors, en qué campos. */
    public static final class Problema extends RuntimeException {
        public final Respuesta respuesta;

        Problema(Respuesta respuesta) {
            super(respuesta.estado() + " " + respuesta.datos());
            this.respuesta = respuesta;
        }
    }

    /** base64(HMAC-SHA256(AppSecret, texto)); el texto son estas líneas, unidas por \n. */
    public static String firma(String metodo, String ruta, Map<String, String> encabezados, String secreto) throws Exception {
        List<String> lineas = new ArrayList<>(List.of(metodo));
        lineas.add(encabezados.getOrDefault("Digest", ""));
        lineas.add(encabezados.getOrDefault("Date", ""));
        encabezados.entrySet().stream()
            .map(par -> par.getKey().toLowerCase(Locale.ROOT) + ":" + par.getValue().trim())
            .filter(linea -> linea.startsWith("x-svc-"))
            .sorted()
            .forEach(lineas::add);
        lineas.add(ruta);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secreto.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return base64(mac.doFinal(String.join("\n", lineas).getBytes(StandardCharsets.UTF_8)));
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Firma la solicitud y la envía; el cuerpo puede ser null. Los encabezados adicionales van de a dos: nombre, valor. */
    public static Respuesta llamar(String metodo, String ruta, Object cuerpo, String... mas) throws Exception {
        Map<String, String> encabezados = new HashMap<>();
        encabezados.put("X-SVC-Date", FECHA.format(ZonedDateTime.now(ZoneOffset.UTC)));
        encabezados.put("X-SVC-Nonce", UUID.randomUUID().toString()); // distingue dos iguales en el mismo segundo
        for (int i = 0; i + 1 < mas.length; i += 2) encabezados.put(mas[i], mas[i + 1]);
        byte[] bytes = cuerpo == null ? new byte[0] : JSON.toJson(cuerpo).getBytes(StandardCharsets.UTF_8);
        if (cuerpo != null) {
            encabezados.put("Content-Type", "application/json");
            encabezados.put("Digest", "sha-256=" + base64(MessageDigest.getInstance("SHA-256").digest(bytes)));
        }
        String firma = firma(metodo, ruta, encabezados, System.getenv().getOrDefault("APP_SECRET", ""));
        encabezados.put("Authorization", "SVC-HMAC " + System.getenv("APP_KEY") + ":" + firma);

        var pedido = HttpRequest.newBuilder(URI.create(URL + ruta)).timeout(Duration.ofSeconds(30));
        encabezados.forEach(pedido::header);
        pedido.method(metodo, cuerpo == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes));
        var recibida = CLIENTE.send(pedido.build(), BodyHandlers.ofString());
        boolean esJson = recibida.headers().firstValue("Content-Type").orElse("").contains("json");
        JsonObject datos = esJson ? JSON.fromJson(recibida.body(), JsonObject.class) : new JsonObject();
        var respuesta = new Respuesta(recibida.statusCode(), recibida.headers(), datos);
        if (respuesta.estado() >= 400) throw new Problema(respuesta);
        return respuesta;
    }
}
