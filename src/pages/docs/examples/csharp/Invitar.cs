// dotnet run ana@automotores.example
var adminMail = args.FirstOrDefault() ?? "ana@automotores.example";

try
{
    var invitacion = await Rodado.Llamar("POST", "/v3/agencias", new
    {
        AdminMail = adminMail,
        Nombre = "Automotores Ana",
        Region = "Bs As",
        Ciudad = "temperlei",
        Mensaje = "Hola, Ana: con esto sus consultas llegan directo al CRM.",
    });
    // Guarde esta dirección: ahí se lee el estado de la invitación.
    var direccion = invitacion.Encabezados.Location!.ToString();
    var agencia = (await Rodado.Llamar("GET", direccion)).Datos!;
    Console.WriteLine($"{agencia["Estado"]} {agencia["Invitacion"]!["Estado"]} hasta {agencia["Invitacion"]!["Vence"]}");
}
catch (Problema problema) when (problema.Estado == 409)
{
    // Ya está registrada: su administrador asocia la app en esta página.
    Console.WriteLine($"ya registrada: {problema.Datos!["Extensions"]!["Conectar"]}");
}
