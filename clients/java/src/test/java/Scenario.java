import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.rodado.client.ProblemException;
import dev.rodado.client.Rodado;
import dev.rodado.client.Webhooks;
import dev.rodado.client.generated.ApiException;
import dev.rodado.client.generated.ApiResponse;
import dev.rodado.client.generated.api.AgenciasApi;
import dev.rodado.client.generated.api.AppNotificacionesApi;
import dev.rodado.client.generated.api.ConsultasApi;
import dev.rodado.client.generated.api.MarcasApi;
import dev.rodado.client.generated.api.PublicacionesApi;
import dev.rodado.client.generated.model.Agencia;
import dev.rodado.client.generated.model.AppWebhookUpsert;
import dev.rodado.client.generated.model.Coincidencia;
import dev.rodado.client.generated.model.Consulta;
import dev.rodado.client.generated.model.Entrega;
import dev.rodado.client.generated.model.MarcaCriterios;
import dev.rodado.client.generated.model.MarcasValores;
import dev.rodado.client.generated.model.Money;
import dev.rodado.client.generated.model.Publicacion;
import dev.rodado.client.generated.model.PublicacionCreate;
import dev.rodado.client.generated.model.PublicacionEdit;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** The scenario of ../scenario.md. */
public final class Scenario {
    private static final JsonObject SCENARIO = JsonParser.parseString(System.getenv("RODADO_SCENARIO")).getAsJsonObject();
    private static final String MAIL = SCENARIO.get("adminMail").getAsString();
    private static final String SECRET = SCENARIO.get("secret").getAsString();
    private static final String APP_SECRET = System.getenv("RODADO_APP_SECRET");

    private static Rodado client(String secret, Rodado.Options options) {
        return client(System.getenv("RODADO_URL"), secret, options);
    }

    private static Rodado client(String url, String secret, Rodado.Options options) {
        return new Rodado(url, System.getenv("RODADO_APP_KEY"), secret, options);
    }

    private static String idOf(String href) {
        return href.substring(href.lastIndexOf('/') + 1);
    }

    private static List<String> agencies(Rodado rodado) throws Exception {
        List<String> mails = new ArrayList<>();
        AgenciasApi api = new AgenciasApi(rodado.apiClient());
        for (Agencia agencia : rodado.entries(api.listarAgenciasCall(null, null), Agencia.class)) mails.add(agencia.getAdminMail());
        return mails;
    }

    private static List<Integer> findMakes(Rodado rodado) throws Exception {
        MarcasValores values = new MarcasValores();
        for (JsonElement make : SCENARIO.getAsJsonArray("makes")) values.addValoresItem(new MarcaCriterios().make(make.getAsString()));
        List<Integer> found = new ArrayList<>();
        for (Coincidencia each : new MarcasApi(rodado.apiClient()).buscarMarcas(values).getEntries())
            found.add(each.getMatch() == null ? null : Integer.valueOf(idOf(each.getMatch().getHref())));
        return found;
    }

    private static Money ars(double amount) {
        return new Money().moneda("ARS").importe(amount);
    }

    private static double publishAndChange(Rodado rodado) throws Exception {
        PublicacionesApi api = new PublicacionesApi(rodado.apiClient());
        PublicacionCreate car = new PublicacionCreate().externalId("AB-1").marca("Fiat").modelo("Cronos");
        car.versionYear(2022).kilometraje(38000).precio(ars(18500000.5)).descripcion("Único dueño");
        api.publicar(MAIL, car);
        ApiResponse<Publicacion> read = api.verPublicacionWithHttpInfo(MAIL, "AB-1");
        PublicacionEdit change = new PublicacionEdit().precio(ars(17999999.99)).descripcion(read.getData().getDescripcion());
        return api.editarPublicacion(MAIL, "AB-1", change, read.getHeaders().get("etag").get(0)).getPrecio().getImporte();
    }

    private static Map<String, Object> receiveWebhook(Rodado rodado) throws Exception {
        CompletableFuture<Map<String, List<String>>> headers = new CompletableFuture<>();
        CompletableFuture<String> content = new CompletableFuture<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            headers.complete(exchange.getRequestHeaders());
            content.complete(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        AppNotificacionesApi api = new AppNotificacionesApi(rodado.apiClient());
        String callback = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
        AppWebhookUpsert upsert = new AppWebhookUpsert().callback(callback).secret(SECRET);
        String standard = api.configurarWebhook("consulta.modificada", upsert).getSecretEstandar();
        String sent = api.probarWebhook("consulta.modificada", null).getId();
        String body = content.get();
        receiver.stop(0);
        Headers several = new Headers();
        several.putAll(headers.get());
        several.set("webhook-signature", "v1,bm8= " + several.getFirst("webhook-signature"));
        boolean malformed = true;
        for (JsonElement each : SCENARIO.getAsJsonArray("malformed")) {
            Headers altered = new Headers();
            altered.putAll(headers.get());
            altered.set(each.getAsJsonObject().get("name").getAsString(), each.getAsJsonObject().get("value").getAsString());
            malformed &= isRefused(altered, body);
        }
        JsonObject event = Webhooks.verify(headers.get(), body, SECRET);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("sent", sent);
        result.put("received", event.get("Id"));
        result.put("moment", event.get("Momento"));
        result.put("standard", Webhooks.verify(several, body, standard).get("Id"));
        result.put("tampered", isRefused(headers.get(), body + " "));
        result.put("malformed", malformed);
        return result;
    }

    private static boolean isRefused(Map<String, List<String>> headers, String body) {
        try {
            Webhooks.verify(headers, body, SECRET);
            return false;
        } catch (WebhookVerificationException refused) {
            return true;
        }
    }

    private static String website() throws Exception {
        Rodado rodado = new Rodado(SCENARIO.get("website").getAsString(), "key", "secret");
        try {
            new AgenciasApi(rodado.apiClient()).listarAgencias(null);
            return "no error";
        } catch (IllegalStateException error) {
            return error.getMessage();
        }
    }

    private static List<String> hostile() {
        List<String> messages = new ArrayList<>();
        for (JsonElement each : SCENARIO.getAsJsonArray("hostile"))
            for (boolean bearer : new boolean[] {false, true}) {
                Rodado.Options options = new Rodado.Options();
                options.timeout = Duration.ofMillis((long) (1000 * each.getAsJsonObject().get("seconds").getAsDouble()));
                options.retries = 0;
                options.bearer = bearer;
                Rodado rodado = new Rodado(each.getAsJsonObject().get("url").getAsString(), "key", "secret", options);
                try {
                    new AgenciasApi(rodado.apiClient()).listarAgencias(null);
                    messages.add("no error");
                } catch (ApiException | IllegalStateException error) {
                    messages.add(error.getMessage());
                }
            }
        return messages;
    }

    private static Object met(Callable<?> call) throws Exception {
        try {
            call.call();
            return "no problem";
        } catch (ProblemException problem) {
            TreeSet<String> codes = new TreeSet<>();
            problem.codes.values().forEach(codes::addAll);
            if (problem.codigo != null) codes.add(problem.codigo);
            TreeSet<String> fields = new TreeSet<>(problem.errors.keySet());
            return Map.of("status", problem.status, "code", problem.code, "fields", fields, "codes", codes);
        }
    }

    private static List<Object> problems() throws Exception {
        Rodado.Options noRetries = new Rodado.Options();
        noRetries.retries = 0;
        Rodado once = client(APP_SECRET, noRetries);
        List<Object> all = new ArrayList<>();
        for (JsonElement each : SCENARIO.getAsJsonArray("problems")) {
            JsonObject asked = each.getAsJsonObject();
            Map<String, String> headers = new LinkedHashMap<>();
            asked.getAsJsonObject("headers").entrySet().forEach(header -> headers.put(header.getKey(), header.getValue().getAsString()));
            String body = asked.get("body").isJsonNull() ? null : asked.get("body").getAsString();
            all.add(met(() -> once.request(asked.get("method").getAsString(), asked.get("path").getAsString(), body, headers)));
        }
        Rodado wrong = client("wrong", new Rodado.Options());
        all.add(met(() -> new AgenciasApi(wrong.apiClient()).listarAgencias(null)));
        return all;
    }

    private static int status(Rodado rodado, String method, String path, String body) throws Exception {
        try {
            return rodado.request(method, path, body, Map.of()).code();
        } catch (ProblemException problem) {
            return problem.status;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Rodado rodado = client(APP_SECRET, new Rodado.Options());
        Rodado.Options bearer = new Rodado.Options();
        bearer.bearer = true;
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("listing", publishAndChange(rodado));
        result.put("webhook", receiveWebhook(rodado));
        result.put("agencies", agencies(rodado));
        result.put("agenciesByToken", agencies(client(SCENARIO.get("busy").getAsString(), APP_SECRET, bearer)));
        result.put("makes", findMakes(rodado));
        List<String> inquiries = new ArrayList<>();
        ConsultasApi consultas = new ConsultasApi(rodado.apiClient());
        okhttp3.Call call = consultas.listarConsultasCall(MAIL, null, null, null, null, null, null);
        for (Consulta consulta : rodado.entries(call, Consulta.class)) inquiries.add(idOf(consulta.getLinks().get("self").getHref()));
        result.put("inquiries", inquiries);
        List<String> deliveries = new ArrayList<>();
        okhttp3.Call listed = new AppNotificacionesApi(rodado.apiClient())
                .listarEntregasCall("consulta.recibida", null, MAIL, null, null, null, null, null, null, null);
        for (Entrega each : rodado.entries(listed, Entrega.class)) deliveries.add(each.getEvento());
        result.put("deliveries", deliveries);
        List<Map<String, JsonElement>> events = new ArrayList<>();
        rodado.follow(null, null, (page, next) -> page.forEach(event ->
                events.add(Map.of("Id", event.get("Id"), "Momento", event.get("Momento")))));
        result.put("events", events);
        result.put("problems", problems());
        result.put("website", website());
        result.put("hostile", hostile());
        result.put("retries", List.of(
                status(rodado, "GET", "/v3/escenario/inestable", null),
                status(rodado, "POST", "/v3/escenario/limitada", "{}"),
                status(rodado, "POST", "/v3/escenario/caida", "{}"),
                status(rodado, "GET", "/v3/escenario/cortada", null),
                status(rodado, "GET", "/v3/escenario/reloj", null),
                status(client(APP_SECRET, bearer), "GET", "/v3/escenario/token", null)));
        Gson gson = new GsonBuilder().serializeNulls().create();
        System.out.println(gson.toJson(result));
        System.exit(0); // OkHttp keeps its threads for a minute
    }
}
