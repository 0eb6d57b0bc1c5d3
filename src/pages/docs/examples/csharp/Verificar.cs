// SECRET=whsec_… dotnet run (un proyecto web: dotnet new web)
using System.Security.Cryptography;
using System.Text;

const int Ventana = 300; // segundos: lo más viejo puede ser una copia que alguien repite
var secret = Environment.GetEnvironmentVariable("SECRET");
if (string.IsNullOrEmpty(secret)) throw new InvalidOperationException("Falta SECRET: sin él, cualquiera puede firmar.");

// Lo que sigue a whsec_ es base64; un Secret propio se usa tal cual.
var clave = secret.StartsWith("whsec_") ? Convert.FromBase64String(secret[6..]) : Encoding.UTF8.GetBytes(secret);

bool EsNuestro(string id, string momento, string firmas, byte[] cuerpo)
{
    var ahora = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    if (!long.TryParse(momento, out var segundos) || Math.Abs(ahora - segundos) > Ventana) return false;
    byte[] mensaje = [.. Encoding.UTF8.GetBytes($"{id}.{momento}."), .. cuerpo];
    var esperada = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(clave, mensaje)));
    // Mientras se cambia el Secret hay dos firmas, separadas por un espacio: basta con una.
    return firmas.Split(' ').Any(firma => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(firma), esperada));
}

Directory.CreateDirectory("notificaciones");
var app = WebApplication.CreateBuilder(args).Build();
app.MapPost("/{**ruta}", async (HttpRequest pedido) =>
{
    using var memoria = new MemoryStream();
    await pedido.Body.CopyToAsync(memoria);
    var cuerpo = memoria.ToArray(); // se firman los bytes, no lo que significan
    string Encabezado(string nombre) => pedido.Headers[nombre].ToString();
    var id = Encabezado("webhook-id");
    if (!EsNuestro(id, Encabezado("webhook-timestamp"), Encabezado("webhook-signature"), cuerpo))
        return Results.Unauthorized();
    var archivo = Path.Combine("notificaciones", $"{id}.json");
    try
    {
        using var nuevo = new FileStream(archivo, FileMode.CreateNew); // guardar primero, contestar después
        nuevo.Write(cuerpo);
        Console.WriteLine($"nuevo {id}");
    }
    catch (IOException) when (File.Exists(archivo))
    {
        Console.WriteLine($"repetido {id}"); // puede llegar dos veces, siempre con el mismo id
    }
    return Results.NoContent();
});
app.Run($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "4000"}");
