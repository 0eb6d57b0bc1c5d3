// The scenario of ../../scenario.md.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Rodado.Client;
using Rodado.Client.Generated.Api;
using Rodado.Client.Generated.Model;

internal static class Scenario
{
    private static readonly JObject Given = JObject.Parse(Environment.GetEnvironmentVariable("RODADO_SCENARIO"));
    private static readonly string Mail = (string)Given["adminMail"];
    private static readonly string Secret = (string)Given["secret"];
    private static readonly string AppSecret = Environment.GetEnvironmentVariable("RODADO_APP_SECRET");

    private static RodadoClient Client(string secret, RodadoOptions options = null, string url = null) => new RodadoClient(
        url ?? Environment.GetEnvironmentVariable("RODADO_URL"), Environment.GetEnvironmentVariable("RODADO_APP_KEY"), secret, options);

    private static string IdOf(string href) => href.Split('/').Last();

    private static async Task<List<T>> ToList<T>(IAsyncEnumerable<T> source)
    {
        var list = new List<T>();
        await foreach (var each in source) list.Add(each);
        return list;
    }

    private static async Task<IEnumerable<string>> Agencies(RodadoClient rodado) =>
        (await ToList(rodado.EntriesAsync<Agencia>("/v3/agencias"))).Select(agencia => agencia.AdminMail);

    private static IEnumerable<int?> FindMakes(RodadoClient rodado)
    {
        var values = Given["makes"].Select(make => new MarcaCriterios(make: (string)make)).ToList();
        var found = rodado.Api<MarcasApi>().BuscarMarcas(new MarcasValores(valores: values));
        return found.Entries.Select(each => each.Match == null ? (int?)null : int.Parse(IdOf(each.Match.Href)));
    }

    private static double PublishAndChange(RodadoClient rodado)
    {
        var api = rodado.Api<PublicacionesApi>();
        var car = new PublicacionCreate(externalId: "AB-1", marca: "Fiat", modelo: "Cronos", versionYear: 2022, kilometraje: 38000);
        car.Precio = new Money("ARS", 18500000.5);
        car.Descripcion = "Único dueño";
        api.Publicar(Mail, car);
        var read = api.VerPublicacionWithHttpInfo(Mail, "AB-1");
        var change = new PublicacionEdit(precio: new Money("ARS", 17999999.99), descripcion: read.Data.Descripcion);
        return api.EditarPublicacion(Mail, "AB-1", change, read.Headers["ETag"].First()).Precio.Importe;
    }

    private static async Task<IEnumerable<string>> Deliveries(RodadoClient rodado)
    {
        var list = rodado.EntriesAsync<Entrega>("/v3/appnotificaciones/consulta.recibida/entregas?adminMail=" + Uri.EscapeDataString(Mail));
        return (await ToList(list)).Select(each => each.Evento);
    }

    private static object ReceiveWebhook(RodadoClient rodado)
    {
        var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        var callback = $"http://127.0.0.1:{((IPEndPoint)probe.LocalEndpoint).Port}/";
        probe.Stop();
        using (var receiver = new HttpListener())
        {
            receiver.Prefixes.Add(callback);
            receiver.Start();
            var api = rodado.Api<AppNotificacionesApi>();
            var webhook = api.ConfigurarWebhook("consulta.modificada", new AppWebhookUpsert(callback: callback, secret: Secret));
            var sent = api.ProbarWebhook("consulta.modificada").Id;
            var context = receiver.GetContext();
            var headers = context.Request.Headers.AllKeys.ToDictionary(name => name, name => context.Request.Headers[name]);
            var body = new StreamReader(context.Request.InputStream, Encoding.UTF8).ReadToEnd();
            context.Response.StatusCode = 204;
            context.Response.Close();
            var tampered = IsRefused(headers, body + " ");
            var malformed = Given["malformed"].All(each =>
            {
                var altered = new Dictionary<string, string>(headers, StringComparer.OrdinalIgnoreCase);
                altered[(string)each["name"]] = (string)each["value"];
                return IsRefused(altered, body);
            });
            var verified = Webhooks.Verify(headers, body, Secret);
            var received = (string)verified["Id"];
            var moment = (string)verified["Momento"];
            var several = new Dictionary<string, string>(headers, StringComparer.OrdinalIgnoreCase);
            several["webhook-signature"] = "v1,bm8= " + several["webhook-signature"];
            var standard = (string)Webhooks.Verify(several, body, webhook.SecretEstandar)["Id"];
            return new { sent, received, moment, standard, tampered, malformed };
        }
    }

    private static bool IsRefused(Dictionary<string, string> headers, string body)
    {
        try
        {
            Webhooks.Verify(headers, body, Secret);
            return false;
        }
        catch (WebhookException)
        {
            return true;
        }
    }

    private static string ErrorAt(string url, RodadoOptions options = null)
    {
        try
        {
            new RodadoClient(url, "key", "secret", options).Api<AgenciasApi>().ListarAgencias();
            return "no error";
        }
        catch (Exception error) when (error is InvalidOperationException || error is HttpRequestException)
        {
            return error.Message;
        }
    }

    private static IEnumerable<string> Hostile() =>
        from server in Given["hostile"]
        from bearer in new[] { false, true }
        let timeout = TimeSpan.FromSeconds((double)server["seconds"])
        select ErrorAt((string)server["url"], new RodadoOptions { Timeout = timeout, Retries = 0, Bearer = bearer });

    private static async Task<object> Met(Func<Task> call)
    {
        try
        {
            await call();
            return "no problem";
        }
        catch (ProblemException problem)
        {
            var codes = problem.Codes.Values.SelectMany(each => each).Append(problem.Codigo).Where(code => code != null);
            return new
            {
                status = problem.Status,
                code = problem.Code,
                fields = problem.Errors.Keys.OrderBy(each => each, StringComparer.Ordinal),
                codes = codes.Distinct().OrderBy(each => each, StringComparer.Ordinal),
            };
        }
    }

    private static Task<object[]> Problems()
    {
        var once = Client(AppSecret, new RodadoOptions { Retries = 0 });
        var wrong = Client("wrong");
        return Task.WhenAll(Given["problems"]
            .Select(asked => Met(() => once.RequestAsync((string)asked["method"], (string)asked["path"], (string)asked["body"],
                asked["headers"].ToObject<Dictionary<string, string>>())))
            .Append(Met(() => wrong.Api<AgenciasApi>().ListarAgenciasAsync())));
    }

    private static async Task<int> Status(RodadoClient rodado, string method, string path, string body = null)
    {
        try
        {
            return (int)(await rodado.RequestAsync(method, path, body)).StatusCode;
        }
        catch (ProblemException problem)
        {
            return problem.Status;
        }
    }

    private static async Task Main()
    {
        var rodado = Client(AppSecret);
        var listing = PublishAndChange(rodado);
        var webhook = ReceiveWebhook(rodado);
        Console.WriteLine(JsonConvert.SerializeObject(new
        {
            agencies = await Agencies(rodado),
            agenciesByToken = await Agencies(Client(AppSecret, new RodadoOptions { Bearer = true }, (string)Given["busy"])),
            makes = FindMakes(rodado),
            listing,
            inquiries = (await ToList(rodado.EntriesAsync<Consulta>("/v3/consultas/" + Mail))).Select(consulta => IdOf(consulta.Links["self"].Href)),
            deliveries = await Deliveries(rodado),
            webhook,
            events = (await ToList(rodado.FollowAsync(once: true))).SelectMany(page => page.Events)
                .Select(each => new { Id = (string)each["Id"], Momento = (string)each["Momento"] }),
            problems = await Problems(),
            website = ErrorAt((string)Given["website"]),
            hostile = Hostile(),
            retries = new[]
            {
                await Status(rodado, "GET", "/v3/escenario/inestable"),
                await Status(rodado, "POST", "/v3/escenario/limitada", "{}"),
                await Status(rodado, "POST", "/v3/escenario/caida", "{}"),
                await Status(rodado, "GET", "/v3/escenario/cortada"),
                await Status(rodado, "GET", "/v3/escenario/reloj"),
                await Status(Client(AppSecret, new RodadoOptions { Bearer = true }), "GET", "/v3/escenario/token"),
            },
        }));
    }
}
