using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Rodado.Client.Generated.Client;

namespace Rodado.Client
{
    /// <summary>Settings that seldom change.</summary>
    public class RodadoOptions
    {
        /// <summary>Authenticates with a token, which is renewed when needed, instead of signatures.</summary>
        public bool Bearer { get; set; }
        /// <summary>The server's SIGNATURE_PREFIX.</summary>
        public string Prefix { get; set; } = "SVC";
        public int Retries { get; set; } = 3;
        /// <summary>Bounds each attempt, from connecting to the last byte.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(30);
        /// <summary>The longest Retry-After to wait for.</summary>
        public TimeSpan LongestWait { get; set; } = TimeSpan.FromMinutes(1);
    }

    /// <summary>A client for a partner's app: `rodado.Api&lt;AgenciasApi&gt;().VerAgencia(mail)`.</summary>
    public sealed class RodadoClient : IDisposable
    {
        /// <summary>That of the API.</summary>
        public const string Version = "0.2.0";

        /// <summary>Attempts have their own: that of the generated code would include the waits between them.</summary>
        private static readonly TimeSpan NoTimeout = TimeSpan.Zero;

        private readonly string baseUrl;
        private readonly HttpClient http;
        private readonly ApiClient apiClient;

        public RodadoClient(string baseUrl, string appKey, string appSecret, RodadoOptions options = null)
        {
            if (!Uri.TryCreate(baseUrl, UriKind.Absolute, out var uri) || !uri.Scheme.StartsWith("http", StringComparison.Ordinal))
                throw new ArgumentException($"\"{baseUrl}\" is not the address of a server: https://api.mercado.example");
            if (string.IsNullOrEmpty(appKey) || string.IsNullOrEmpty(appSecret))
                throw new ArgumentException("The AppKey and the AppSecret are needed: they come with the app.");
            this.baseUrl = baseUrl.TrimEnd('/');
            var settings = options ?? new RodadoOptions();
            var inner = new HttpClientHandler { AllowAutoRedirect = false };
            var auth = new Auth(this.baseUrl, appKey, appSecret, settings);
            http = new HttpClient(new RetryHandler(inner, auth, settings)) { Timeout = Timeout.InfiniteTimeSpan };
            http.DefaultRequestHeaders.UserAgent.ParseAdd("rodado-csharp/" + Version);
            // What nobody set is not sent.
            apiClient = new ApiClient(http, this.baseUrl, inner);
            apiClient.SerializerSettings.NullValueHandling = NullValueHandling.Ignore;
            apiClient.SerializerSettings.DateParseHandling = DateParseHandling.None;
        }

        /// <summary>A class of Rodado.Client.Generated.Api, which calls through this client.</summary>
        public T Api<T>() where T : IApiAccessor =>
            (T)Activator.CreateInstance(typeof(T), apiClient, apiClient, new Configuration { BasePath = baseUrl, Timeout = NoTimeout });

        /// <summary>Any path of the API, such as a link of an answer. The body is sent as it is, by default as JSON.</summary>
        public async Task<HttpResponseMessage> RequestAsync(
            string method, string href, string body = null, IEnumerable<KeyValuePair<string, string>> headers = null,
            CancellationToken cancellation = default)
        {
            if (!href.StartsWith("/", StringComparison.Ordinal))
                throw new ArgumentException($"\"{href}\" is not a path of the API: those begin with /.");
            var request = new HttpRequestMessage(new HttpMethod(method), baseUrl + href);
            var given = (headers ?? Enumerable.Empty<KeyValuePair<string, string>>()).ToArray();
            var type = given.FirstOrDefault(each => each.Key.Equals("content-type", StringComparison.OrdinalIgnoreCase)).Value;
            if (body != null)
            {
                request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
                request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(type ?? "application/json");
            }
            foreach (var header in given.Where(each => !each.Key.Equals("content-type", StringComparison.OrdinalIgnoreCase)))
                request.Headers.TryAddWithoutValidation(header.Key, header.Value);
            if (request.Headers.Accept.Count == 0) request.Headers.Accept.ParseAdd("application/json");
            return await http.SendAsync(request, cancellation).ConfigureAwait(false);
        }

        /// <summary>The entries of a list over all its pages, which are requested on demand.</summary>
        public async IAsyncEnumerable<T> EntriesAsync<T>(string href, [EnumeratorCancellation] CancellationToken cancellation = default)
        {
            while (href != null)
            {
                var page = await JsonAsync(href, cancellation).ConfigureAwait(false);
                var entries = (JArray)page["_entries"];
                foreach (var entry in entries) yield return entry.ToObject<T>();
                href = entries.Count == 0 ? null : (string)page["_links"]["next"]?["href"];
            }
        }

        /// <summary>
        /// Follows the feed from a cursor (null is the oldest stored event): events, and the cursor to store once they are
        /// processed. It waits when there is nothing new or the server is away, or ends if `once`.
        /// </summary>
        public async IAsyncEnumerable<FeedPage> FollowAsync(
            string cursor = null, TimeSpan? every = null, bool once = false,
            [EnumeratorCancellation] CancellationToken cancellation = default)
        {
            while (true)
            {
                var page = await PageOrNullAsync(cursor, once, cancellation).ConfigureAwait(false);
                var events = page == null ? new JObject[0] : page["_entries"].Cast<JObject>().ToArray();
                if (page != null) cursor = CursorOf((string)page["_links"]["next"]["href"]);
                if (events.Length > 0) yield return new FeedPage(events, cursor);
                else if (once) yield break;
                else await Task.Delay(every ?? TimeSpan.FromSeconds(2), cancellation).ConfigureAwait(false);
            }
        }

        public void Dispose() => http.Dispose();

        /// <summary>A page of the feed; null if the server is away.</summary>
        private async Task<JObject> PageOrNullAsync(string cursor, bool once, CancellationToken cancellation)
        {
            try
            {
                var href = "/v3/eventos" + (cursor == null ? "" : "?cursor=" + Uri.EscapeDataString(cursor));
                return await JsonAsync(href, cancellation).ConfigureAwait(false);
            }
            catch (ProblemException problem) when (!once && (problem.Status >= 500 || problem.Status == 429))
            {
                return null;
            }
            catch (HttpRequestException) when (!once)
            {
                return null;
            }
        }

        private static string CursorOf(string href)
        {
            var pair = href.Substring(href.IndexOf('?') + 1).Split('&').First(each => each.StartsWith("cursor=", StringComparison.Ordinal));
            return Uri.UnescapeDataString(pair.Substring("cursor=".Length));
        }

        private async Task<JObject> JsonAsync(string href, CancellationToken cancellation)
        {
            using (var response = await RequestAsync("GET", href, cancellation: cancellation).ConfigureAwait(false))
                return Json.Parse(await response.Content.ReadAsStringAsync().ConfigureAwait(false));
        }
    }

    /// <summary>Some events, and the cursor to store once they are processed.</summary>
    public sealed class FeedPage
    {
        public IReadOnlyList<JObject> Events { get; }
        public string Cursor { get; }

        internal FeedPage(IReadOnlyList<JObject> events, string cursor)
        {
            Events = events;
            Cursor = cursor;
        }
    }

    /// <summary>
    /// Authenticates requests and retries them: a safe one after any temporary error, any other only after the server's own 429,
    /// which comes before any work.
    /// </summary>
    internal sealed class RetryHandler : DelegatingHandler
    {
        private static readonly string[] Safe = { "GET", "HEAD", "OPTIONS" };
        private const double FirstWaitMs = 250;
        private readonly Auth auth;
        private readonly RodadoOptions options;
        private readonly Random random = new Random();

        internal RetryHandler(HttpMessageHandler inner, Auth auth, RodadoOptions options) : base(inner)
        {
            this.auth = auth;
            this.options = options;
        }

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellation)
        {
            var body = request.Content == null ? new byte[0] : await request.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
            var safe = Safe.Contains(request.Method.Method);
            var corrected = false;
            for (var failures = 0; ; failures++)
            {
                var wait = TimeSpan.FromMilliseconds(FirstWaitMs * Math.Pow(2, failures) * (0.5 + Jitter()));
                bool passes;
                Exception error;
                try
                {
                    await auth.Authenticate(request, body, cancellation).ConfigureAwait(false);
                    var response = await Exchange.Send(base.SendAsync, request, options.Timeout, cancellation).ConfigureAwait(false);
                    if (response.IsSuccessStatusCode || response.StatusCode == HttpStatusCode.NotModified) return WithoutHtml(request, response);
                    var content = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                    var refusal = ProblemException.Of(response, content);
                    if (refusal.Status == 401 && !corrected && auth.Correct(refusal, response))
                    {
                        corrected = true;
                        failures--;
                        continue;
                    }
                    throw refusal;
                }
                catch (ProblemException problem) // of the call, or of the request for its token
                {
                    var limited = problem.Status == 429 && (safe || problem.IsOurs);
                    passes = limited || (safe && (problem.Status >= 500 || problem.Status == 408));
                    wait = problem.RetryAfter ?? wait;
                    error = problem;
                }
                catch (HttpRequestException failure)
                {
                    passes = safe;
                    error = failure;
                }
                if (failures >= options.Retries || !passes || wait > options.LongestWait) throw error;
                await Task.Delay(wait, cancellation).ConfigureAwait(false);
            }
        }

        /// <summary>A website at a wrong address answers HTML to everything.</summary>
        private static HttpResponseMessage WithoutHtml(HttpRequestMessage request, HttpResponseMessage response)
        {
            var isHtml = response.Content?.Headers.ContentType?.MediaType == "text/html";
            if (isHtml && !request.Headers.Accept.ToString().Contains("html"))
                throw new InvalidOperationException($"{request.RequestUri} answers text/html instead of JSON: check the server's address.");
            return response;
        }

        private double Jitter()
        {
            lock (random) return random.NextDouble();
        }
    }
}
