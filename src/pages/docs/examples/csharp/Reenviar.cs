// dotnet run consulta.recibida 2026-03-01
var topic = args.ElementAtOrDefault(0) ?? "consulta.recibida";
var desde = args.ElementAtOrDefault(1) ?? "2026-03-01";
var ruta = $"/v3/appnotificaciones/{topic}/entregas/reenviar?estado=fallida,descartada&desde={desde}";

var cuenta = await Rodado.Llamar("POST", $"{ruta}&simular=true");
Console.WriteLine($"{cuenta.Datos!["Cantidad"]} sin entregar");

var respuesta = await Rodado.Llamar("POST", ruta);
Console.WriteLine($"Reenviadas, con los mismos Id: {respuesta.Datos!["Cantidad"]}");
