package dev.rodado.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Authenticates requests and retries them: a safe one after any temporary error, any other only after the server's own 429,
 * which comes before any work.
 */
final class RetryInterceptor implements Interceptor {
    private static final List<String> SAFE = List.of("GET", "HEAD", "OPTIONS");
    private static final long FIRST_WAIT_MS = 250;

    private final Auth auth;
    private final Rodado.Options options;
    private final Attempts attempts;

    RetryInterceptor(Auth auth, Rodado.Options options, Attempts attempts) {
        this.auth = auth;
        this.options = options;
        this.attempts = attempts;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        boolean safe = SAFE.contains(request.method());
        boolean corrected = false;
        for (int failures = 0; ; failures++) {
            long jittered = (long) ((FIRST_WAIT_MS << failures) * (0.5 + ThreadLocalRandom.current().nextDouble()));
            Duration wait = Duration.ofMillis(jittered);
            boolean passes = safe;
            ProblemException problem = null;
            IOException failure = null;
            try {
                Response response = attempts.send(auth.authenticate(request), chain.call());
                if (response.isSuccessful() || response.code() == 304) return withoutHtml(response);
                ProblemException refusal = ProblemException.of(response, response.body().string());
                if (refusal.status == 401 && !corrected && auth.correct(refusal, response)) {
                    corrected = true;
                    failures--;
                    continue;
                }
                throw refusal;
            } catch (ProblemException refusal) { // of the call, or of the request for its token
                problem = refusal;
                boolean limited = problem.status == 429 && (safe || problem.isOurs);
                passes = limited || (safe && (problem.status >= 500 || problem.status == 408));
                if (problem.retryAfter != null) wait = problem.retryAfter;
            } catch (IOException error) {
                failure = error;
            }
            if (failures >= options.retries || !passes || wait.compareTo(options.longestWait) > 0 || chain.call().isCanceled()) {
                if (failure != null) throw failure;
                throw problem;
            }
            sleep(wait);
        }
    }

    /** A website at a wrong address answers HTML to everything. */
    private static Response withoutHtml(Response response) {
        Request request = response.request();
        boolean isHtml = response.header("Content-Type", "").contains("text/html");
        String accept = request.header("Accept");
        if (isHtml && (accept == null || !accept.contains("html")))
            throw new IllegalStateException(request.url() + " answers text/html instead of JSON: check the server's address.");
        return response;
    }

    private static void sleep(Duration wait) throws IOException {
        try {
            Thread.sleep(wait.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a retry");
        }
    }
}
