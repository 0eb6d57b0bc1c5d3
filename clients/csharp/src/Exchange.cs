using System;
using System.IO;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Rodado.Client
{
    internal delegate Task<HttpResponseMessage> Sender(HttpRequestMessage request, CancellationToken cancellation);

    internal static class Exchange
    {
        /// <summary>More than any response of the API, and less than a process can spare.</summary>
        private const int MaxResponseMB = 32;

        /// <summary>
        /// One attempt, including the whole response, so that a truncated one counts as a failure. HttpClient's own timeout ends with
        /// the headers if the response is not buffered, and includes the waits between retries.
        /// </summary>
        internal static async Task<HttpResponseMessage> Send(
            Sender send, HttpRequestMessage request, TimeSpan timeout, CancellationToken cancellation)
        {
            using (var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation))
            {
                limit.CancelAfter(timeout);
                try
                {
                    var response = await send(request, limit.Token).ConfigureAwait(false);
                    await Buffer(request, response, limit.Token).ConfigureAwait(false);
                    return response;
                }
                catch (OperationCanceledException late) when (!cancellation.IsCancellationRequested)
                {
                    throw new HttpRequestException($"{request.Method} {request.RequestUri}: no answer within {timeout}.", late);
                }
                catch (IOException cut)
                {
                    throw new HttpRequestException($"{request.Method} {request.RequestUri}: {cut.Message}", cut);
                }
            }
        }

        /// <summary>A response that does not end must not fill the memory.</summary>
        private static async Task Buffer(HttpRequestMessage request, HttpResponseMessage response, CancellationToken cancellation)
        {
            if (response.Content == null) return;
            using (var content = response.Content)
            {
                var stream = await content.ReadAsStreamAsync().ConfigureAwait(false);
                var read = new MemoryStream();
                var chunk = new byte[65536];
                int count;
                while ((count = await stream.ReadAsync(chunk, 0, chunk.Length, cancellation).ConfigureAwait(false)) > 0)
                {
                    read.Write(chunk, 0, count);
                    if (read.Length > MaxResponseMB * 1048576)
                        throw new InvalidOperationException(
                            $"{request.RequestUri} answers more than {MaxResponseMB} MB: check the server's address, or narrow the list.");
                }
                response.Content = new ByteArrayContent(read.ToArray());
                foreach (var header in content.Headers) response.Content.Headers.TryAddWithoutValidation(header.Key, header.Value);
            }
        }
    }
}
