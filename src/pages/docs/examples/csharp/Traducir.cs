// dotnet run 'Bs As' temperlei
var state = Uri.EscapeDataString(args.ElementAtOrDefault(0) ?? "Bs As");
var city = Uri.EscapeDataString(args.ElementAtOrDefault(1) ?? "temperlei");

try
{
    var respuesta = await Rodado.Llamar("GET", $"/v3/ciudades/bestmatch?state={state}&city={city}");
    var match = respuesta.Encabezados.GetValues("Match").First();
    Console.WriteLine($"{respuesta.Datos!["Nombre"]} ({respuesta.Datos["Region"]}) {match}");
}
catch (Problema problema) when (problema.Estado == 400)
{
    // No está claro: se ofrece lo que se parece, y decide una persona.
    foreach (var candidato in problema.Datos!["Extensions"]!["Candidatos"]?.AsArray() ?? [])
        Console.WriteLine($"quizás {candidato!["title"]} {candidato["href"]}");
}
