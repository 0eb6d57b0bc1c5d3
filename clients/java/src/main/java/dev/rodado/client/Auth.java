package dev.rodado.client;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
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
    private final Attempts attempts;
    private volatile Duration skew = Duration.ZERO;
    private String token;
    private Instant until = Instant.MIN;

    Auth(HttpUrl baseUrl, String appKey, String appSecret, Rodado.Options options, Attempts attempts) {
        this.tokenUrl = baseUrl.newBuilder().addPathSegments("oauth/token").build();
        this.appKey = appKey;
        this.appSecret = appSecret;
        this.options = options;
        this.attempts = attempts;
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
        try (Response response = attempts.send(request)) {
            String content = response.body().string();
            if (!response.isSuccessful()) throw ProblemException.of(response, content);
            Given given = parse(content);
            if (given == null || given.access_token == null || given.expires_in == null)
                throw new IllegalStateException(tokenUrl + " answers no token: check the server's address.");
            until = Instant.now().plusSeconds(given.expires_in).minus(MARGIN);
            return token = given.access_token;
        }
    }

    /** The answer of /oauth/token. */
    private static final class Given {
        String access_token;
        Long expires_in;
    }

    private static Given parse(String content) {
        try {
            return new Gson().fromJson(content, Given.class);
        } catch (JsonParseException website) {
            return null;
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
