using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Microsoft.AspNetCore.Http;
using Newtonsoft.Json.Linq;
using StandardWebhooks;
using StandardWebhooks.Diagnostics;

namespace Rodado.Client
{
    public static class Webhooks
    {
        /// <summary>The server sends one for each secret. Each costs a hash of the body, and anybody may send many.</summary>
        private const int MaxSignatures = 10;

        /// <summary>
        /// Verifies a delivery and returns its event; throws WebhookVerificationException. The body is as received. Answer 2xx
        /// within 15 seconds; the same Id may come again. A secret is the webhook's Secret or its SecretEstandar; give both while
        /// one replaces the other.
        /// </summary>
        public static JObject Verify(IEnumerable<KeyValuePair<string, string>> headers, string body, params string[] secrets)
        {
            var given = headers.ToDictionary(each => each.Key, each => each.Value, StringComparer.OrdinalIgnoreCase);
            given.TryGetValue("webhook-signature", out var signatures);
            var error = new WebhookVerificationException("A secret and a signature are needed.");
            foreach (var secret in secrets.Where(each => !string.IsNullOrEmpty(each)))
            // One by one: the library compares only the first of several.
            foreach (var signature in (signatures ?? "").Split(' ').Where(each => each.Contains(",")).Take(MaxSignatures))
            {
                var dictionary = new HeaderDictionary { ["webhook-signature"] = signature };
                foreach (var name in new[] { "webhook-id", "webhook-timestamp" })
                    if (given.TryGetValue(name, out var value)) dictionary[name] = value;
                try
                {
                    new StandardWebhook(Standard(secret)).Verify(body, dictionary);
                    return JObject.Parse(body);
                }
                catch (WebhookVerificationException refused)
                {
                    error = refused;
                }
            }
            throw error;
        }

        /// <summary>The secret as Standard Webhooks has it: base64 of its bytes.</summary>
        private static string Standard(string secret) =>
            secret.StartsWith("whsec_", StringComparison.Ordinal)
                ? secret
                : "whsec_" + Convert.ToBase64String(Encoding.UTF8.GetBytes(secret));
    }
}
