// dotnet run

// Repite lo que más tarde puede salir bien. Cada intento llama de nuevo: fecha, nonce y firma son otros.
async Task<Respuesta> ConReintentos(Func<Task<Respuesta>> intento, int veces = 5)
{
    for (var numero = 1; ; numero++)
    {
        var espera = TimeSpan.FromSeconds(Random.Shared.NextDouble() * Math.Pow(2, numero)); // 2, 4, 8 … y al azar
        try
        {
            return await intento();
        }
        catch (Problema problema) when (numero < veces && (problema.Estado == 429 || problema.Estado >= 500))
        {
            espera = problema.Encabezados.RetryAfter?.Delta ?? espera;
        }
        catch (Exception error) when (numero < veces && error is HttpRequestException or TaskCanceledException) // falló la red
        {
        }
        Console.WriteLine($"se reintenta en {espera.TotalSeconds:0.0} s");
        await Task.Delay(espera);
    }
}

var respuesta = await ConReintentos(() => Rodado.Llamar("GET", "/v3/marcas?q=fiat"));
Console.WriteLine(respuesta.Estado);
