// javac Verificar.java && SECRET=whsec_… java Verificar
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verificar {
    static final int VENTANA = 300; // segundos: lo más viejo puede ser una copia que alguien repite

    static boolean esNuestro(String id, String momento, String firmas, byte[] cuerpo, byte[] clave) throws Exception {
        if (!momento.matches("\\d{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(momento)) > VENTANA) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(clave, "HmacSHA256"));
        mac.update((id + "." + momento + ".").getBytes(StandardCharsets.UTF_8));
        byte[] esperada = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(cuerpo))).getBytes();
        // Mientras se cambia el Secret hay dos firmas, separadas por un espacio: basta con una.
        return Arrays.stream(firmas.split(" ")).anyMatch(firma -> MessageDigest.isEqual(firma.getBytes(), esperada));
    }

    public static void main(String[] args) throws Exception {
        String secret = System.getenv().getOrDefault("SECRET", "");
        if (secret.isEmpty()) throw new IllegalStateException("Falta SECRET: sin él, cualquiera puede firmar.");
        // Lo que sigue a whsec_ es base64; un Secret propio se usa tal cual.
        byte[] clave = secret.startsWith("whsec_")
            ? Base64.getDecoder().decode(secret.substring(6))
            : secret.getBytes(StandardCharsets.UTF_8);
        Files.createDirectories(Path.of("notificaciones"));
        int puerto = Integer.parseInt(System.getenv().getOrDefault("PORT", "4000"));
        var servidor = HttpServer.create(new InetSocketAddress("127.0.0.1", puerto), 0);
        servidor.createContext("/", pedido -> {
            byte[] cuerpo = pedido.getRequestBody().readAllBytes(); // se firman los bytes, no lo que significan
            int estado = 500;
            try {
                var encabezados = pedido.getRequestHeaders();
                String id = encabezados.getFirst("webhook-id");
                String momento = String.valueOf(encabezados.getFirst("webhook-timestamp"));
                String firmas = String.valueOf(encabezados.getFirst("webhook-signature"));
                estado = esNuestro(id, momento, firmas, cuerpo, clave) ? guardar(id, cuerpo) : 401;
            } catch (Exception error) {
                System.err.println(error); // contesta 500, y la notificación vuelve
            }
            pedido.sendResponseHeaders(estado, -1);
            pedido.close();
        });
        servidor.start();
    }

    /** Guardar primero, contestar después. */
    static int guardar(String id, byte[] cuerpo) throws Exception {
        try {
            Files.write(Path.of("notificaciones", id + ".json"), cuerpo, StandardOpenOption.CREATE_NEW);
            System.out.println("nuevo " + id);
        } catch (FileAlreadyExistsException error) {
            System.out.println("repetido " + id); // puede llegar dos veces, siempre con el mismo id
        }
        return 204;
    }
}
