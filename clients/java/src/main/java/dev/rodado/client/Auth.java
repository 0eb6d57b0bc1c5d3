package dev.rodado.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Date;
import java.util.Locale;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import okhttp3.Credentials;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;

/** Signs requests, or gives them a token that is renewed when needed. */
final class Auth {
    /** A token is renewed this long before it expires. */
    private static final Duration MARGIN = Duration.ofMinutes(1);
    private static final DateTimeFormatter IMF_FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    private final HttpUrl tokenUrl;
    private final String appKey;
    private final String appSecret;
    private final Rodado.Options options;
    private final OkHttpClient http;
    private volatile Duration skew = Duration.ZERO;
    private String token;
    private Instant until = Instant.MIN;

    Auth(HttpUrl baseUrl, String appKey, String appSecret, Rodado.Options options) {
        this.tokenUrl = baseUrl.newBuilder().addPathSegments("oauth/token").build();
        this.appKey = appKey;
        this.appSecret = appSecret;
        this.options = options;
        this.http = new OkHttpClient.Builder().callTimeout(options.timeout).followRedirects(false).build();
    }

    Request authenticate(Request request) throws IOException {
        if (options.bearer) return request.newBuilder().header("Authorization", "Bearer " + token()).build();
        String date = ZonedDateTime.now(ZoneOffset.UTC).plus(skew).format(IMF_FIXDATE);
        return sign(request, date, UUID.randomUUID().toString());
    }

    /** Signs method, digest, an empty line for Date, our own headers by name, and the target. */
    Request sign(Request request, String date, String nonce) throws IOException {
        String own = "x-" + options.prefix.toLowerCase(Locale.ROOT);
        Request.Builder signed = request.newBuilder().header(own + "-date", date).header(own + "-nonce", nonce);
        byte[] body = bodyOf(request);
        String target = request.url().encodedPath() + (request.url().query() == null ? "" : "?" + request.url().encodedQuery());
        try {
            String digest = "";
            if (body.length > 0) {
                digest = "sha-256=" + base64(MessageDigest.getInstance("SHA-256").digest(body));
                signed.header("Digest", digest);
            }
            String text = String.join("\n", request.method(), digest, "", own + "-date:" + date, own + "-nonce:" + nonce, target);
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(appSecret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            String signature = base64(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            return signed.header("Authorization", options.prefix + "-HMAC " + appKey + ":" + signature).build();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** True if a refused credential is worth one more attempt. A client with a wrong clock takes the server's time. */
    synchronized boolean correct(ProblemException problem, Response response) {
        Date theirs = response.headers().getDate("Date");
        if ("fecha-fuera-de-rango".equals(problem.codigo) && theirs != null) {
            skew = Duration.between(Instant.now(), theirs.toInstant());
            return true;
        }
        token = null;
        return "token-invalido".equals(problem.codigo);
    }

    private synchronized String token() throws IOException {
        if (token != null && Instant.now().isBefore(until)) return token;
        Request request = new Request.Builder()
                .url(tokenUrl)
                .header("Authorization", Credentials.basic(appKey, appSecret))
                .post(new FormBody.Builder().add("grant_type", "client_credentials").build())
                .build();
        try (Response response = http.newCall(request).execute()) {
            String content = response.body().string();
            if (!response.isSuccessful()) throw ProblemException.of(response, content);
            JsonObject given = JsonParser.parseString(content).getAsJsonObject();
            token = given.get("access_token").getAsString();
            until = Instant.now().plusSeconds(given.get("expires_in").getAsLong()).minus(MARGIN);
            return token;
        }
    }

    private static byte[] bodyOf(Request request) throws IOException {
        if (request.body() == null) return new byte[0];
        Buffer buffer = new Buffer();
        request.body().writeTo(buffer);
        return buffer.readByteArray();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
