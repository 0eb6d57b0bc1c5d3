package dev.rodado.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

public final class Webhooks {
    private Webhooks() {}

    /**
     * Verifies a delivery and returns its event. The body is as received. Answer 2xx within 15 seconds; the same {@code Id} may
     * come again. A secret is the webhook's {@code Secret} or its {@code SecretEstandar}; give both while one replaces the other.
     */
    public static JsonObject verify(Map<String, List<String>> headers, String body, String... secrets)
            throws WebhookVerificationException {
        Map<String, List<String>> given = new HashMap<>();
        headers.forEach((name, values) -> {
            if (name != null) given.put(name.toLowerCase(Locale.ROOT), values);
        });
        WebhookVerificationException error = new WebhookVerificationException("A secret is needed.");
        for (String secret : secrets) {
            if (secret == null || secret.isEmpty()) continue;
            try {
                new Webhook(standard(secret)).verify(body, given);
                return JsonParser.parseString(body).getAsJsonObject();
            } catch (WebhookVerificationException refused) {
                error = refused;
            }
        }
        throw error;
    }

    /** The secret as Standard Webhooks has it: base64 of its bytes. */
    private static String standard(String secret) {
        if (secret.startsWith("whsec_")) return secret;
        return "whsec_" + Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
    }
}
