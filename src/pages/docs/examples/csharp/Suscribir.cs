// dotnet run consulta.recibida https://crm.example/notificaciones
var webhook = $"/v3/appnotificaciones/{args.ElementAtOrDefault(0) ?? "consulta.recibida"}";
var cuerpo = new { Callback = args.ElementAtOrDefault(1) ?? "https://crm.example/notificaciones" };

try
{
    var respuesta = await Rodado.Llamar("POST", webhook, cuerpo);
    Console.WriteLine(respuesta.Datos!["Secret"]); // se muestra solo ahora: guárdelo donde lo lea su receptor
}
catch (Problema problema) when (problema.Estado == 409)
{
    // Ya estaba configurado: se reemplaza, y el Secret que no se envía queda como estaba.
    var respuesta = await Rodado.Llamar("PUT", webhook, cuerpo);
    Console.WriteLine($"ahora va a {respuesta.Datos!["Callback"]}");
}
