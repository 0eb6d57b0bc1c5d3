import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Notificacion {
    /** Verifica la firma de id, momento y topic, no del cuerpo; también con el Secret anterior. */
    public static boolean esNuestra(Map<String, String> encabezados, String secret) throws Exception {
        byte[] clave = secret.startsWith("whsec_")
            ? Base64.getDecoder().decode(secret.substring(6))
            : secret.getBytes(StandardCharsets.UTF_8);
        String momento = encabezados.getOrDefault("Notification-Timestamp", "");
        if (!momento.matches("\\d{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(momento)) > 300) return false;
        String texto = encabezados.get("Notification-Hook-ID") + "\n" + momento + "\n" + encabezados.get("Notification-Topic");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(clave, "HmacSHA256"));
        byte[] esperada = Base64.getEncoder().encode(mac.doFinal(texto.getBytes(StandardCharsets.UTF_8)));
        return Stream.of("Notification-Signature", "Notification-Signature-Anterior")
            .map(nombre -> encabezados.getOrDefault(nombre, ""))
            .anyMatch(firma -> MessageDigest.isEqual(firma.getBytes(StandardCharsets.UTF_8), esperada));
    }
}
