<?php

namespace Rodado;

use GuzzleHttp\Client;
use GuzzleHttp\Exception\TransferException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use GuzzleHttp\Promise\Create;
use GuzzleHttp\Promise\PromiseInterface;
use GuzzleHttp\Utils;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Rodado\Generated\Configuration;

/** A client for a partner's app. */
final class Rodado
{
    public const VERSION = '0.2.0';
    private const SAFE = ['GET', 'HEAD', 'OPTIONS'];
    private const FIRST_WAIT = 0.25;

    private readonly string $baseUrl;
    private readonly Client $http;

    /**
     * @param 'signature'|'bearer' $auth
     * @param string $prefix the server's SIGNATURE_PREFIX
     * @param float $timeout bounds each attempt in seconds, from connecting to the last byte
     * @param float $longestWait the longest Retry-After to wait for, in seconds
     * @param callable|null $handler another handler of Guzzle
     */
    public function __construct(
        string $baseUrl,
        string $appKey,
        string $appSecret,
        string $auth = 'signature',
        string $prefix = 'SVC',
        private readonly int $retries = 3,
        float $timeout = 30,
        private readonly float $longestWait = 60,
        ?callable $handler = null,
    ) {
        if ($appKey === '' || $appSecret === '') {
            throw new RodadoException('The AppKey and the AppSecret are needed: they come with the app.');
        }
        if (!preg_match('#^https?://[^/]#', $baseUrl)) {
            throw new RodadoException("\"$baseUrl\" is not the address of a server: https://api.mercado.example");
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $handler ??= Utils::chooseHandler();
        $direct = fn (RequestInterface $request) => $this->attempt($handler, $request, ['timeout' => $timeout]);
        $identity = new Auth($this->baseUrl, $appKey, $appSecret, $prefix, $auth === 'bearer', $direct);
        $stack = new HandlerStack($handler);
        $stack->push(Middleware::prepareBody());
        $stack->push(fn (callable $next) => fn (RequestInterface $request, array $options)
            => Create::promiseFor($this->send($next, $identity, $request, $options)));
        $this->http = new Client(['handler' => $stack, 'timeout' => $timeout]);
    }

    /**
     * A class of `Rodado\Generated\Api`, which calls through this client.
     *
     * @template T
     * @param class-string<T> $class
     * @return T
     */
    public function api(string $class): object
    {
        $agent = 'rodado-php/' . self::VERSION;
        return new $class($this->http, (new Configuration())->setHost($this->baseUrl)->setUserAgent($agent));
    }

    /**
     * Any path of the API, such as a link of an answer. The body is JSON; a text is sent as it is.
     *
     * @param array<string, string> $headers
     */
    public function request(string $method, string $path, mixed $body = null, array $headers = []): ResponseInterface
    {
        if (!str_starts_with($path, '/')) {
            throw new RodadoException("\"$path\" is not a path of the API: those begin with /.");
        }
        $given = array_change_key_case($headers) + ['accept' => 'application/json'];
        if ($body !== null) {
            $given += ['content-type' => 'application/json'];
        }
        $text = is_string($body) || $body === null ? $body : json_encode($body, JSON_THROW_ON_ERROR);
        return $this->http->request($method, $this->baseUrl . $path, ['headers' => $given, 'body' => $text]);
    }

    /**
     * The entries of a list over all its pages: `$rodado->entries($consultas->listarConsultas(...), $adminMail)`.
     *
     * @return \Generator<int, mixed>
     */
    public function entries(callable $operation, mixed ...$arguments): \Generator
    {
        do {
            $page = $operation(...$arguments);
            foreach ($page->getEntries() as $entry) {
                yield $entry;
            }
            $next = $page->getLinks()['next'] ?? null;
            if ($next !== null) {
                parse_str((string) parse_url($next->getHref(), PHP_URL_QUERY), $query);
                $arguments = [...$arguments, ...array_intersect_key($query, ['pagina' => 1, 'cursor' => 1])];
            }
        } while ($next !== null && count($page->getEntries()) > 0);
    }

    /**
     * Follows the feed: the key is the cursor to store once the events are processed. It waits for an unavailable server.
     *
     * @return \Generator<string, list<array<string, mixed>>>
     */
    public function follow(?string $cursor = null, float $every = 2, bool $once = false): \Generator
    {
        while (true) {
            try {
                $path = '/v3/eventos' . ($cursor === null ? '' : '?cursor=' . rawurlencode($cursor));
                $page = json_decode((string) $this->request('GET', $path)->getBody(), true, flags: JSON_THROW_ON_ERROR);
            } catch (RodadoException $error) {
                $status = $error instanceof ProblemException ? $error->status : 0;
                $isOutage = $error instanceof ConnectionException || $status >= 500 || $status === 429;
                if ($once || !$isOutage) {
                    throw $error;
                }
                usleep((int) ($every * 1e6));
                continue;
            }
            parse_str((string) parse_url($page['_links']['next']['href'], PHP_URL_QUERY), $query);
            $cursor = $query['cursor'];
            if ($page['_entries']) {
                yield $cursor => $page['_entries'];
            } elseif ($once) {
                return;
            } else {
                usleep((int) ($every * 1e6));
            }
        }
    }

    /**
     * Sends a request and retries it: a safe one after any temporary error, any other only after the server's own 429, which
     * comes before any work.
     *
     * @param callable(RequestInterface, array<string, mixed>): PromiseInterface $next
     * @param array<string, mixed> $options
     */
    private function send(callable $next, Auth $auth, RequestInterface $request, array $options): ResponseInterface
    {
        $safe = in_array($request->getMethod(), self::SAFE, true);
        $corrected = false;
        for ($failures = 0; ; $failures++) {
            $wait = self::FIRST_WAIT * 2 ** $failures * (0.5 + mt_rand() / mt_getrandmax());
            try {
                $response = $this->attempt($next, $auth->authenticate($request), $options);
                $status = $response->getStatusCode();
                if (intdiv($status, 100) === 2 || $status === 304) {
                    return self::withoutHtml($request, $response);
                }
                $error = new ProblemException($response);
                if ($status === 401 && !$corrected && $auth->correct($error, $response)) {
                    $corrected = true;
                    $failures--;
                    continue;
                }
                throw $error;
            } catch (ProblemException $error) { // of the call, or of the request for its token
                $limited = $error->status === 429 && ($safe || $error->isOurs);
                $passes = $limited || ($safe && ($error->status >= 500 || $error->status === 408));
                $wait = $error->retryAfter ?? $wait;
            } catch (ConnectionException $error) {
                $passes = $safe;
            }
            if ($failures >= $this->retries || !$passes || $wait > $this->longestWait) {
                throw $error;
            }
            usleep((int) ($wait * 1e6));
        }
    }

    /**
     * One attempt, including the whole response.
     *
     * @param callable(RequestInterface, array<string, mixed>): PromiseInterface $handler
     * @param array<string, mixed> $options
     */
    private function attempt(callable $handler, RequestInterface $request, array $options): ResponseInterface
    {
        $body = new BoundedBody();
        try {
            return $handler($request, ['sink' => $body, 'synchronous' => true] + $options)->wait();
        } catch (TransferException $cause) {
            if ($body->isFull()) {
                $larger = "{$request->getUri()} answers more than " . BoundedBody::MAX_MB . ' MB';
                throw new RodadoException("$larger: check the server's address, or narrow the list.", 0, $cause);
            }
            $context = method_exists($cause, 'getHandlerContext') ? $cause->getHandlerContext() : [];
            $isLate = ($context['errno'] ?? 0) === CURLE_OPERATION_TIMEDOUT;
            $why = $isLate ? "no answer within {$options['timeout']} s" : $cause->getMessage();
            throw new ConnectionException("{$request->getMethod()} {$request->getUri()}: $why", 0, $cause);
        }
    }

    /** A website at a wrong address answers HTML to everything. */
    private static function withoutHtml(RequestInterface $request, ResponseInterface $response): ResponseInterface
    {
        $isHtml = str_contains($response->getHeaderLine('content-type'), 'text/html');
        if ($isHtml && !str_contains($request->getHeaderLine('accept'), 'html')) {
            throw new RodadoException("{$request->getUri()} answers text/html instead of JSON: check the server's address.");
        }
        return $response;
    }
}
