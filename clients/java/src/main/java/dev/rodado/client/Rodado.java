package dev.rodado.client;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rodado.client.generated.ApiClient;
import dev.rodado.client.generated.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** A client for a partner's app. Give {@link #apiClient()} to the classes of {@code dev.rodado.client.generated.api}. */
public final class Rodado {
    /** That of the API. */
    public static final String VERSION = "0.2.0";

    /** Settings that seldom change. */
    public static final class Options {
        /** Authenticates with a token, which is renewed when needed, instead of signatures. */
        public boolean bearer = false;
        /** The server's SIGNATURE_PREFIX. */
        public String prefix = "SVC";
        public int retries = 3;
        /** Bounds each attempt, from connecting to the last byte. */
        public Duration timeout = Duration.ofSeconds(30);
        /** The longest Retry-After to wait for. */
        public Duration longestWait = Duration.ofMinutes(1);
    }

    private final HttpUrl baseUrl;
    private final OkHttpClient http;
    private final ApiClient apiClient;

    public Rodado(String baseUrl, String appKey, String appSecret) {
        this(baseUrl, appKey, appSecret, new Options());
    }

    public Rodado(String baseUrl, String appKey, String appSecret, Options options) {
        this.baseUrl = HttpUrl.parse(baseUrl == null ? "" : baseUrl.replaceAll("/+$", ""));
        if (this.baseUrl == null)
            throw new IllegalArgumentException("\"" + baseUrl + "\" is not the address of a server: https://api.mercado.example");
        if (appKey == null || appKey.isEmpty() || appSecret == null || appSecret.isEmpty())
            throw new IllegalArgumentException("The AppKey and the AppSecret are needed: they come with the app.");
        Attempts attempts = new Attempts(options.timeout);
        Auth auth = new Auth(this.baseUrl, appKey, appSecret, options, attempts);
        http = new OkHttpClient.Builder()
                .callTimeout(Duration.ZERO) // each attempt has its own timeout
                .addInterceptor(new RetryInterceptor(auth, options, attempts))
                .eventListener(attempts)
                .build();
        apiClient = new ApiClient(http);
        apiClient.setBasePath(baseUrl.replaceAll("/+$", ""));
        apiClient.setUserAgent("rodado-java/" + VERSION);
    }

    public ApiClient apiClient() {
        return apiClient;
    }

    /** Any path of the API, such as a link of an answer. The body is JSON, or null. */
    public Response request(String method, String href, String body, Map<String, String> headers) throws IOException {
        HttpUrl url = href.startsWith("/") ? HttpUrl.parse(baseUrl.toString().replaceAll("/+$", "") + href) : null;
        if (url == null) throw new IllegalArgumentException("\"" + href + "\" is not a path of the API: those begin with /.");
        Request.Builder request = new Request.Builder().url(url).header("Accept", "application/json");
        headers.forEach(request::header);
        MediaType type = MediaType.parse(request.build().header("Content-Type") == null
                ? "application/json" : request.build().header("Content-Type"));
        boolean needsBody = List.of("POST", "PUT", "PATCH").contains(method);
        byte[] bytes = body == null ? new byte[0] : body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        RequestBody content = body == null && !needsBody ? null : RequestBody.create(bytes, body == null ? null : type);
        return http.newCall(request.method(method, content).build()).execute();
    }

    /** The entries of a list over all its pages, which are requested on demand; {@code call} is one of the {@code …Call} methods. */
    public <E> Iterable<E> entries(Call call, Class<E> type) {
        return () -> new Iterator<>() {
            private final Deque<E> read = new ArrayDeque<>();
            private Call next = call.clone();

            @Override
            public boolean hasNext() {
                while (read.isEmpty() && next != null) {
                    JsonObject page = json(next);
                    page.getAsJsonArray("_entries").forEach(entry -> read.add(JSON.getGson().fromJson(entry, type)));
                    JsonObject link = page.getAsJsonObject("_links").getAsJsonObject("next");
                    HttpUrl url = link == null || read.isEmpty() ? null : next.request().url().resolve(link.get("href").getAsString());
                    if (url != null && !url.resolve("/").equals(baseUrl.resolve("/")))
                        throw new IllegalStateException(url + " is another server, which must not get the credentials.");
                    next = url == null ? null : http.newCall(next.request().newBuilder().url(url).build());
                }
                return !read.isEmpty();
            }

            @Override
            public E next() {
                if (!hasNext()) throw new NoSuchElementException();
                return read.remove();
            }
        };
    }

    /**
     * Follows the feed from a cursor (null is the oldest stored event) and gives each page to {@code handle}, with the cursor to
     * store once it is processed. It waits {@code every} when there is nothing new or the server is away, or ends if that is null.
     */
    public void follow(String cursor, Duration every, BiConsumer<List<JsonObject>, String> handle) throws InterruptedException {
        String at = cursor;
        while (true) {
            HttpUrl.Builder url = baseUrl.newBuilder().addPathSegments("v3/eventos");
            if (at != null) url.addQueryParameter("cursor", at);
            List<JsonObject> events = new ArrayList<>();
            try {
                JsonObject page = json(http.newCall(new Request.Builder().url(url.build()).header("Accept", "application/json").build()));
                page.getAsJsonArray("_entries").forEach(event -> events.add(event.getAsJsonObject()));
                String href = page.getAsJsonObject("_links").getAsJsonObject("next").get("href").getAsString();
                at = baseUrl.resolve(href).queryParameter("cursor");
                if (at == null) throw new IllegalStateException("The answer is not a page of the feed: it has no next cursor.");
            } catch (UncheckedIOException | ProblemException error) {
                if (every == null || !isOutage(error)) throw error;
            }
            if (!events.isEmpty()) handle.accept(events, at);
            else if (every == null) return;
            else Thread.sleep(every.toMillis());
        }
    }

    private static boolean isOutage(RuntimeException error) {
        if (!(error instanceof ProblemException)) return true;
        int status = ((ProblemException) error).status;
        return status >= 500 || status == 429;
    }

    private static JsonObject json(Call call) {
        try (Response response = call.execute()) {
            return JsonParser.parseString(response.body().string()).getAsJsonObject();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
