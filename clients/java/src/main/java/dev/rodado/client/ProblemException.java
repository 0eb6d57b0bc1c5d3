package dev.rodado.client;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonSyntaxException;
import com.google.gson.reflect.TypeToken;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import okhttp3.Response;

/** The server refused. */
public class ProblemException extends RuntimeException {
    private static final Gson GSON = new Gson();

    public final int status;
    /** The last part of {@code Type}, or OAuth's own code. */
    public final String code;
    /** Messages by field; {@code _} has those of the whole entry. */
    public final Map<String, List<String>> errors;
    /** Stable codes by field, as {@code errors}. */
    public final Map<String, List<String>> codes;
    /** The stable code of a problem that is not a 400; else null. */
    public final String codigo;
    public final JsonObject extensions;
    public final String requestId;
    /** Null if the server did not send it. */
    public final Duration retryAfter;
    /** True if the response is the server's own, not a proxy's. */
    final boolean isOurs;

    private ProblemException(Response response, JsonObject body, String type, Map<String, List<String>> errors) {
        super(response.code() + " " + (errors.isEmpty() ? detail(body, response) : errors.toString()));
        this.status = response.code();
        this.code = type.substring(type.lastIndexOf('/') + 1);
        this.errors = errors;
        this.extensions = body.get("Extensions") instanceof JsonObject ? body.getAsJsonObject("Extensions") : new JsonObject();
        this.codes = lists(extensions.get("Codigos"));
        this.codigo = text(extensions, "Codigo");
        this.requestId = response.header("X-Request-Id");
        this.retryAfter = retryAfter(response.header("Retry-After"));
        this.isOurs = type.contains("/problemas/");
    }

    static ProblemException of(Response response, String content) {
        JsonObject body = parse(content);
        String type = text(body, "Type") != null ? text(body, "Type") : text(body, "error");
        return new ProblemException(response, body, type == null ? "" : type, lists(body.get("Errors")));
    }

    private static JsonObject parse(String content) {
        try {
            JsonObject body = GSON.fromJson(content, JsonObject.class);
            return body == null ? new JsonObject() : body;
        } catch (JsonSyntaxException notJson) {
            return new JsonObject(); // a proxy's page
        }
    }

    private static String detail(JsonObject body, Response response) {
        for (String name : List.of("Detail", "error_description", "Title"))
            if (text(body, name) != null) return text(body, name);
        return response.message();
    }

    private static String text(JsonObject body, String name) {
        return body.has(name) && body.get(name).isJsonPrimitive() ? body.get(name).getAsString() : null;
    }

    private static Map<String, List<String>> lists(JsonElement given) {
        try {
            Map<String, List<String>> lists = GSON.fromJson(given, new TypeToken<Map<String, List<String>>>() {}.getType());
            return lists == null ? Map.of() : lists;
        } catch (JsonSyntaxException other) {
            return Map.of(); // a proxy's own JSON
        }
    }

    private static Duration retryAfter(String text) {
        if (text == null) return null;
        if (text.matches("\\d+")) return Duration.ofSeconds(text.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(text));
        try {
            ZonedDateTime at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
            Duration wait = Duration.between(ZonedDateTime.now(), at);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeParseException wrong) {
            return null;
        }
    }
}
