using System.Security.Cryptography;
using System.Text;

public static class Notificacion
{
    /// <summary>Verifica la firma de id, momento y topic, no del cuerpo; también con el Secret anterior.</summary>
    public static bool EsNuestra(IReadOnlyDictionary<string, string> encabezados, string secret)
    {
        var clave = secret.StartsWith("whsec_") ? Convert.FromBase64String(secret[6..]) : Encoding.UTF8.GetBytes(secret);
        string Dato(string nombre) => encabezados.GetValueOrDefault(nombre, "");
        var momento = Dato("Notification-Timestamp");
        var texto = string.Join('\n', Dato("Notification-Hook-ID"), momento, Dato("Notification-Topic"));
        var esperada = Convert.ToBase64String(HMACSHA256.HashData(clave, Encoding.UTF8.GetBytes(texto)));
        bool Coincide(string nombre) => CryptographicOperations.FixedTimeEquals(
            Encoding.UTF8.GetBytes(Dato(nombre)), Encoding.UTF8.GetBytes(esperada));
        var ahora = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var esReciente = long.TryParse(momento, out var segundos) && Math.Abs(ahora - segundos) <= 300;
        return esReciente && (Coincide("Notification-Signature") || Coincide("Notification-Signature-Anterior"));
    }
}
