// dotnet run (con las claves de API de una app en modo de prueba)
var agencias = (await Rodado.Llamar("GET", "/v3/agencias")).Datos!;
var adminMail = (string)agencias["_entries"]![0]!["AdminMail"]!;

// Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
var pedido = await Rodado.Llamar("POST", "/v3/prueba/consultas", new { AdminMail = adminMail, Cantidad = 2 });
var generadas = pedido.Datos!["_entries"]!.AsArray();
foreach (var generada in generadas) Console.WriteLine($"llegó {generada!["title"]}");

var consulta = (await Rodado.Llamar("GET", (string)generadas[0]!["href"]!)).Datos!;
var auto = consulta["Auto"]!;
Console.WriteLine($"{consulta["Interesado"]!["Nombre"]} pregunta por {auto["Marca"]} {auto["Modelo"]}");
