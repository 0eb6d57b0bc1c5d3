// dotnet run ana@automotores.example
var lista = $"/v3/consultas/{args.FirstOrDefault() ?? "ana@automotores.example"}";

var etag = "";
for (var ruta = lista; ruta is not null;)
{
    var respuesta = await Rodado.Llamar("GET", ruta);
    var datos = respuesta.Datos!;
    if (ruta == lista)
    {
        etag = respuesta.Encabezados.ETag!.ToString();
        Console.WriteLine($"{datos["Total"]} en 90 días");
    }
    foreach (var consulta in datos["_entries"]!.AsArray())
    {
        var auto = consulta!["Auto"]!;
        Console.WriteLine($"{consulta["Momento"]} {auto["Marca"]} {auto["Modelo"]} {consulta["Interesado"]!["Nombre"]}");
    }
    ruta = (string?)datos["_links"]!["next"]?["href"]; // en la última página no está
}

// Más tarde: si nada cambió, la respuesta es 304, sin cuerpo.
var despues = await Rodado.Llamar("GET", lista, null, ("If-None-Match", etag));
Console.WriteLine(despues.Estado == 304 ? "nada nuevo" : "hay novedades");
