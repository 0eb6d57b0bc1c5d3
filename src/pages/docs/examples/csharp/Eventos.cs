// dotnet run
var ruta = File.Exists("cursor.txt") ? File.ReadAllText("cursor.txt") : "/v3/eventos";
while (true)
{
    var datos = (await Rodado.Llamar("GET", ruta)).Datos!;
    var eventos = datos["_entries"]!.AsArray();
    foreach (var evento in eventos) Console.WriteLine($"{evento!["Topic"]} {evento["Id"]}"); // aquí va su trabajo
    ruta = (string)datos["_links"]!["next"]!["href"]!;
    File.WriteAllText("cursor.txt", ruta); // solo cuando el trabajo está hecho
    if (eventos.Count == 0) break;
}
