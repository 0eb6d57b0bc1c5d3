// dotnet run consulta.recibida
using System.Text.Json.Nodes;

var topic = args.FirstOrDefault() ?? "consulta.recibida";
var prueba = await Rodado.Llamar("POST", $"/v3/appnotificaciones/{topic}/prueba");
var direccion = prueba.Encabezados.Location!.ToString(); // la entrega, en el registro

JsonNode entrega;
do
{
    await Task.Delay(500);
    entrega = (await Rodado.Llamar("GET", direccion)).Datos!;
} while (entrega["Intentos"]!.AsArray().Count == 0);

var intento = entrega["Intentos"]![0]!;
Console.WriteLine($"{entrega["Estado"]} {intento["Status"] ?? intento["Error"]} {intento["DuracionMs"]} ms");
