// dotnet run
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;

var http = new HttpClient { BaseAddress = new Uri(Environment.GetEnvironmentVariable("RODADO_URL") ?? "http://127.0.0.1:3000") };
var (token, vence) = ("", DateTime.MinValue);

// Un token sirve una hora: se guarda, y se pide otro un minuto antes de que venza.
async Task<string> PedirToken()
{
    if (DateTime.UtcNow < vence) return token;
    var (appKey, appSecret) = (Environment.GetEnvironmentVariable("APP_KEY"), Environment.GetEnvironmentVariable("APP_SECRET"));
    using var pedido = new HttpRequestMessage(HttpMethod.Post, "/oauth/token");
    pedido.Headers.Authorization =
        new AuthenticationHeaderValue("Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes($"{appKey}:{appSecret}")));
    pedido.Content = new FormUrlEncodedContent([new("grant_type", "client_credentials")]);
    using var respuesta = await http.SendAsync(pedido);
    respuesta.EnsureSuccessStatusCode();
    var dado = JsonNode.Parse(await respuesta.Content.ReadAsStringAsync())!;
    token = (string)dado["access_token"]!;
    vence = DateTime.UtcNow.AddSeconds((int)dado["expires_in"]! - 60);
    return token;
}

http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", await PedirToken());
Console.WriteLine(await http.GetStringAsync("/v3/colores?q=rojo"));
