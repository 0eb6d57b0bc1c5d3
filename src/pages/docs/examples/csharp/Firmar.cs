// dotnet run GET '/v3/colores?q=rojo'
using System.Text.Json.Nodes;

var metodo = args.ElementAtOrDefault(0) ?? "GET";
var ruta = args.ElementAtOrDefault(1) ?? "/v3/colores?q=rojo";
var cuerpo = args.Length > 2 ? JsonNode.Parse(args[2]) : null;

var respuesta = await Rodado.Llamar(metodo, ruta, cuerpo);
Console.WriteLine($"{respuesta.Estado} {respuesta.Datos}");
