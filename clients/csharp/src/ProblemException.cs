using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Rodado.Client
{
    /// <summary>The server refused.</summary>
    public class ProblemException : Exception
    {
        public int Status { get; }
        /// <summary>The last part of Type, or OAuth's own code.</summary>
        public string Code { get; }
        /// <summary>Messages by field; "_" has those of the whole entry.</summary>
        public IReadOnlyDictionary<string, string[]> Errors { get; }
        /// <summary>Stable codes by field, as Errors.</summary>
        public IReadOnlyDictionary<string, string[]> Codes { get; }
        /// <summary>The stable code of a problem that is not a 400; else null.</summary>
        public string Codigo { get; }
        public JObject Extensions { get; }
        public string RequestId { get; }
        public TimeSpan? RetryAfter { get; }
        /// <summary>True if the response is the server's own, not a proxy's.</summary>
        internal bool IsOurs { get; }

        private ProblemException(string message, HttpResponseMessage response, JObject body, string type) : base(message)
        {
            Status = (int)response.StatusCode;
            Code = type.Substring(type.LastIndexOf('/') + 1);
            Errors = Lists(body["Errors"]);
            Extensions = body["Extensions"] as JObject ?? new JObject();
            Codes = Lists(Extensions["Codigos"]);
            Codigo = (string)Extensions["Codigo"];
            RequestId = response.Headers.TryGetValues("X-Request-Id", out var ids) ? ids.First() : null;
            var after = response.Headers.RetryAfter;
            RetryAfter = after?.Delta ?? (after?.Date is DateTimeOffset at ? Positive(at - DateTimeOffset.UtcNow) : (TimeSpan?)null);
            IsOurs = type.Contains("/problemas/");
        }

        internal static ProblemException Of(HttpResponseMessage response, string content)
        {
            var body = Parse(content);
            var type = (string)body["Type"] ?? (string)body["error"] ?? "";
            var fields = Lists(body["Errors"]).Select(each => $"{each.Key}: {string.Join(" ", each.Value)}").ToArray();
            var text = fields.Length > 0
                ? string.Join("; ", fields)
                : (string)body["Detail"] ?? (string)body["error_description"] ?? response.ReasonPhrase;
            return new ProblemException($"{(int)response.StatusCode} {text}", response, body, type);
        }

        /// <summary>Empty if it is not a JSON object.</summary>
        internal static JObject Parse(string content)
        {
            try
            {
                return Json.Parse(content);
            }
            catch (JsonException)
            {
                return new JObject(); // a proxy's page
            }
        }

        private static Dictionary<string, string[]> Lists(JToken given)
        {
            try
            {
                return given?.ToObject<Dictionary<string, string[]>>() ?? new Dictionary<string, string[]>();
            }
            catch (JsonException)
            {
                return new Dictionary<string, string[]>(); // a proxy's own JSON
            }
        }

        private static TimeSpan Positive(TimeSpan wait) => wait < TimeSpan.Zero ? TimeSpan.Zero : wait;
    }
}
