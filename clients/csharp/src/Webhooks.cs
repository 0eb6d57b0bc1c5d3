using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using Newtonsoft.Json.Linq;

namespace Rodado.Client
{
    /// <summary>The delivery is not signed with any of the secrets, or is too old.</summary>
    public class WebhookException : Exception
    {
        internal WebhookException(string message) : base(message)
        {
        }
    }

    /// <summary>
    /// Standard Webhooks by hand: the package of that name compares only the first of several signatures, and needs ASP.NET Core.
    /// </summary>
    public static class Webhooks
    {
        private const string StandardPrefix = "whsec_";
        private const long ToleranceSeconds = 300;
        private static readonly string[] Names = { "webhook-id", "webhook-timestamp", "webhook-signature" };

        /// <summary>
        /// Verifies a delivery and returns its event; throws WebhookException. The body is as received. Answer 2xx within 15
        /// seconds; the same Id may come again. A secret is the webhook's Secret or its SecretEstandar; give both while one replaces
        /// the other.
        /// </summary>
        public static JObject Verify(IEnumerable<KeyValuePair<string, string>> headers, string body, params string[] secrets)
        {
            var values = Names
                .Select(name => headers.FirstOrDefault(each => each.Key.Equals(name, StringComparison.OrdinalIgnoreCase)).Value)
                .ToArray();
            if (values.Any(string.IsNullOrEmpty)) throw new WebhookException(string.Join(", ", Names) + " are needed.");
            if (!secrets.Any() || secrets.Any(string.IsNullOrEmpty)) throw new WebhookException("A secret is needed.");
            var isTime = long.TryParse(values[1], NumberStyles.None, CultureInfo.InvariantCulture, out var timestamp);
            if (!isTime || Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - timestamp) > ToleranceSeconds)
                throw new WebhookException("The delivery is too old, or the clock is wrong.");
            var message = Encoding.UTF8.GetBytes($"{values[0]}.{values[1]}.{body}");
            var given = values[2].Split(' ').Select(Encoding.UTF8.GetBytes).ToArray();
            foreach (var secret in secrets)
            {
                var expected = Encoding.UTF8.GetBytes("v1," + Sign(secret, message));
                if (given.Any(signature => CryptographicOperations.FixedTimeEquals(signature, expected))) return Json.Parse(body);
            }
            throw new WebhookException("No signature fits.");
        }

        private static string Sign(string secret, byte[] message)
        {
            var key = secret.StartsWith(StandardPrefix, StringComparison.Ordinal)
                ? Convert.FromBase64String(secret.Substring(StandardPrefix.Length))
                : Encoding.UTF8.GetBytes(secret);
            using (var hmac = new HMACSHA256(key)) return Convert.ToBase64String(hmac.ComputeHash(message));
        }
    }
}
