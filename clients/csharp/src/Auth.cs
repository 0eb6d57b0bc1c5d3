using System;
using System.Collections.Generic;
using System.Globalization;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Rodado.Client
{
    /// <summary>Signs requests, or gives them a token that is renewed when needed.</summary>
    internal sealed class Auth
    {
        /// <summary>A token is renewed this long before it expires.</summary>
        private static readonly TimeSpan Margin = TimeSpan.FromMinutes(1);

        private readonly string tokenUrl;
        private readonly string appKey;
        private readonly string appSecret;
        private readonly RodadoOptions options;
        private readonly HttpClient http;
        private readonly SemaphoreSlim mutex = new SemaphoreSlim(1);
        private TimeSpan skew = TimeSpan.Zero;
        private string token;
        private DateTimeOffset until;

        internal Auth(string baseUrl, string appKey, string appSecret, RodadoOptions options)
        {
            tokenUrl = baseUrl + "/oauth/token";
            this.appKey = appKey;
            this.appSecret = appSecret;
            this.options = options;
            http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = Timeout.InfiniteTimeSpan };
        }

        internal async Task Authenticate(HttpRequestMessage request, byte[] body, CancellationToken cancellation)
        {
            if (options.Bearer)
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", await Token(cancellation).ConfigureAwait(false));
            else
                Sign(request, body, (DateTimeOffset.UtcNow + skew).ToString("r", CultureInfo.InvariantCulture), Guid.NewGuid().ToString());
        }

        /// <summary>Signs method, digest, an empty line for Date, our own headers by name, and the target.</summary>
        internal void Sign(HttpRequestMessage request, byte[] body, string date, string nonce)
        {
            var own = "x-" + options.Prefix.ToLowerInvariant();
            var digest = "";
            if (body.Length > 0)
            {
                using (var sha = SHA256.Create()) digest = "sha-256=" + Convert.ToBase64String(sha.ComputeHash(body));
                Set(request, "Digest", digest);
            }
            Set(request, own + "-date", date);
            Set(request, own + "-nonce", nonce);
            var lines = new[]
            {
                request.Method.Method, digest, "", $"{own}-date:{date}", $"{own}-nonce:{nonce}", request.RequestUri.PathAndQuery,
            };
            using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(appSecret)))
            {
                var signature = Convert.ToBase64String(hmac.ComputeHash(Encoding.UTF8.GetBytes(string.Join("\n", lines))));
                Set(request, "Authorization", $"{options.Prefix}-HMAC {appKey}:{signature}");
            }
        }

        /// <summary>True if a refused credential is worth one more attempt. A client with a wrong clock takes the server's time.</summary>
        internal bool Correct(ProblemException problem, HttpResponseMessage response)
        {
            if (problem.Codigo == "fecha-fuera-de-rango" && response.Headers.Date is DateTimeOffset theirs)
            {
                skew = theirs - DateTimeOffset.UtcNow;
                return true;
            }
            token = null;
            return problem.Codigo == "token-invalido";
        }

        private async Task<string> Token(CancellationToken cancellation)
        {
            await mutex.WaitAsync(cancellation).ConfigureAwait(false);
            try
            {
                if (token != null && DateTimeOffset.UtcNow < until) return token;
                var form = new Dictionary<string, string> { ["grant_type"] = "client_credentials" };
                var request = new HttpRequestMessage(HttpMethod.Post, tokenUrl) { Content = new FormUrlEncodedContent(form) };
                var basic = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{appKey}:{appSecret}"));
                request.Headers.Authorization = new AuthenticationHeaderValue("Basic", basic);
                using (var response = await Exchange.Send(Headers, request, options.Timeout, cancellation).ConfigureAwait(false))
                {
                    var content = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                    if (!response.IsSuccessStatusCode) throw ProblemException.Of(response, content);
                    var given = ProblemException.Parse(content);
                    if ((string)given["access_token"] == null || given["expires_in"] == null)
                        throw new InvalidOperationException($"{tokenUrl} answers no token: check the server's address.");
                    until = DateTimeOffset.UtcNow.AddSeconds((double)given["expires_in"]) - Margin;
                    return token = (string)given["access_token"];
                }
            }
            finally
            {
                mutex.Release();
            }
        }

        private Task<HttpResponseMessage> Headers(HttpRequestMessage request, CancellationToken cancellation) =>
            http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellation);

        private static void Set(HttpRequestMessage request, string name, string value)
        {
            request.Headers.Remove(name);
            request.Headers.TryAddWithoutValidation(name, value);
        }
    }
}
