// dotnet run ana@automotores.example
var adminMail = args.FirstOrDefault() ?? "ana@automotores.example";
var autos = new object[]
{
    new
    {
        ExternalId = "AB-1023", Marca = "vw", Modelo = "amarok", Version = "V6 Extreme", VersionYear = 2023,
        Kilometraje = 21000, Color = "gris", Precio = new { Moneda = "USD", Importe = 42000 },
    },
    new { ExternalId = "AB-1024", Marca = "fiat", Modelo = "cronos", Version = "1.3 drive", VersionYear = 2022 },
    new { ExternalId = "AB-1025", Marca = "Ford", Modelo = "Ka", Color = "color de viento" },
};

var lote = await Rodado.Llamar("POST", $"/v3/publicaciones/{adminMail}/lote", autos);
foreach (var fila in lote.Datos!["_entries"]!.AsArray())
    Console.WriteLine($"{fila!["ExternalId"]} {fila["Resultado"]} {fila["Errors"]?.ToJsonString()}");
