using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

public sealed record Respuesta(int Estado, HttpResponseHeaders Encabezados, JsonNode? Datos);

/// <summary>Un rechazo: Title y Detail dicen qué pasó; Errors, en qué campos.</summary>
public sealed class Problema(Respuesta respuesta)
    : Exception($"{respuesta.Estado} {respuesta.Datos?["Detail"]} {respuesta.Datos?["Errors"]?.ToJsonString()}")
{
    public int Estado => respuesta.Estado;
    public HttpResponseHeaders Encabezados => respuesta.Encabezados;
    public JsonNode? Datos => respuesta.Datos;
}

public static class Rodado
{
    static readonly Uri Base = new(Environment.GetEnvironmentVariable("RODADO_URL") ?? "http://127.0.0.1:3000");
    static readonly string AppKey = Environment.GetEnvironmentVariable("APP_KEY") ?? "";
    static readonly string AppSecret = Environment.GetEnvironmentVariable("APP_SECRET") ?? "";
    static readonly HttpClient Http = new() { Timeout = TimeSpan.FromSeconds(30) };

    /// <summary>base64(HMAC-SHA256(AppSecret, texto)); el texto son estas líneas, unidas por \n.</summary>
    public static string Firma(string metodo, string ruta, IReadOnlyDictionary<string, string> encabezados, string secreto)
    {
        var propios = encabezados
            .Select(par => (Nombre: par.Key.ToLowerInvariant(), Valor: par.Value.Trim()))
            .Where(par => par.Nombre.StartsWith("x-svc-", StringComparison.Ordinal))
            .OrderBy(par => par.Nombre, StringComparer.Ordinal)
            .Select(par => $"{par.Nombre}:{par.Valor}");
        var digest = encabezados.GetValueOrDefault("Digest", "");
        var fecha = encabezados.GetValueOrDefault("Date", "");
        var texto = string.Join('\n', new[] { metodo, digest, fecha }.Concat(propios).Append(ruta));
        return Convert.ToBase64String(HMACSHA256.HashData(Encoding.UTF8.GetBytes(secreto), Encoding.UTF8.GetBytes(texto)));
    }

    /// <summary>Firma la solicitud y la envía.</summary>
    public static async Task<Respuesta> Llamar(
        string metodo, string ruta, object? cuerpo = null, params (string Nombre, string Valor)[] mas)
    {
        var url = new Uri(Base, ruta);
        var encabezados = new Dictionary<string, string>
        {
            ["X-SVC-Date"] = DateTime.UtcNow.ToString("R"),
            ["X-SVC-Nonce"] = Guid.NewGuid().ToString(), // distingue dos solicitudes iguales en el mismo segundo
        };
        foreach (var (nombre, valor) in mas) encabezados[nombre] = valor;
        using var pedido = new HttpRequestMessage(new HttpMethod(metodo), url);
        if (cuerpo is not null)
        {
            var bytes = JsonSerializer.SerializeToUtf8Bytes(cuerpo);
            pedido.Content = new ByteArrayContent(bytes);
            pedido.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
            encabezados["Digest"] = "sha-256=" + Convert.ToBase64String(SHA256.HashData(bytes));
        }
        var firma = Firma(metodo, url.PathAndQuery, encabezados, AppSecret);
        encabezados["Authorization"] = $"SVC-HMAC {AppKey}:{firma}";
        foreach (var (nombre, valor) in encabezados) pedido.Headers.TryAddWithoutValidation(nombre, valor);

        using var recibida = await Http.SendAsync(pedido);
        var esJson = recibida.Content.Headers.ContentType?.MediaType?.Contains("json") == true;
        var texto = await recibida.Content.ReadAsStringAsync();
        var respuesta = new Respuesta((int)recibida.StatusCode, recibida.Headers, esJson ? JsonNode.Parse(texto) : null);
        return respuesta.Estado >= 400 ? throw new Problema(respuesta) : respuesta;
    }
}
