package dev.rodado.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;

/** Sends the attempts of a call, each as a call of its own: OkHttp has a timeout for a whole call and none for an attempt. */
final class Attempts extends EventListener {
    /** More than any response of the API, and less than a process can spare. */
    private static final long MAX_RESPONSE_MB = 32;

    private final OkHttpClient http;
    private final Duration timeout;
    private final Map<Call, Call> running = new ConcurrentHashMap<>();

    Attempts(Duration timeout) {
        this.timeout = timeout;
        this.http = new OkHttpClient.Builder()
                .callTimeout(timeout)
                .connectTimeout(timeout)
                .readTimeout(timeout)
                .writeTimeout(timeout)
                .followRedirects(false)
                .retryOnConnectionFailure(false)
                .addNetworkInterceptor(chain -> withoutZeroWait(chain.proceed(chain.request())))
                .build();
    }

    /** An attempt that ends with its call. */
    Response send(Request request, Call call) throws IOException {
        Call attempt = http.newCall(request);
        running.put(call, attempt);
        try {
            if (call.isCanceled()) attempt.cancel();
            return read(attempt);
        } finally {
            running.remove(call);
        }
    }

    Response send(Request request) throws IOException {
        return read(http.newCall(request));
    }

    @Override
    public void canceled(Call call) {
        Call attempt = running.get(call);
        if (attempt != null) attempt.cancel();
    }

    /** Includes the whole response, so that a truncated one counts as a failure. One that does not end must not fill the memory. */
    private Response read(Call attempt) throws IOException {
        try (Response response = attempt.execute()) {
            ResponseBody body = response.body();
            BufferedSource source = body.source();
            if (source.request(MAX_RESPONSE_MB * 1_048_576 + 1))
                throw new IllegalStateException(attempt.request().url() + " answers more than " + MAX_RESPONSE_MB
                        + " MB: check the server's address, or narrow the list.");
            return response.newBuilder().body(ResponseBody.create(source.readByteArray(), body.contentType())).build();
        } catch (InterruptedIOException late) {
            if (Thread.currentThread().isInterrupted()) throw late;
            InterruptedIOException error = new InterruptedIOException(
                    attempt.request().method() + " " + attempt.request().url() + ": no answer within " + timeout.toMillis() + " ms");
            error.initCause(late);
            throw error;
        }
    }

    /** OkHttp repeats any request, with its old signature, after a 503 with {@code Retry-After: 0}; it ignores a date there. */
    private static Response withoutZeroWait(Response response) {
        if (!"0".equals(response.header("Retry-After"))) return response;
        return response.newBuilder().header("Retry-After", "Thu, 1 Jan 1970 00:00:00 GMT").build();
    }
}
