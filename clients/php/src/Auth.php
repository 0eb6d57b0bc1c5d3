<?php

namespace Rodado;

use GuzzleHttp\Psr7\Request;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** Signs requests, or gives them a token that is renewed when needed. */
final class Auth
{
    /** A token is renewed this many seconds before it expires. */
    private const MARGIN = 60;

    private int $skew = 0;
    private string $token = '';
    private float $until = 0;

    /** @param \Closure(RequestInterface): ResponseInterface $send sends the request for a token */
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $appKey,
        private readonly string $appSecret,
        private readonly string $prefix,
        private readonly bool $bearer,
        private readonly \Closure $send,
    ) {
    }

    public function authenticate(RequestInterface $request): RequestInterface
    {
        if ($this->bearer) {
            return $request->withHeader('Authorization', 'Bearer ' . $this->token());
        }
        $date = gmdate('D, d M Y H:i:s \G\M\T', time() + $this->skew);
        return $this->sign($request, $date, bin2hex(random_bytes(16)));
    }

    /** Signs method, digest, an empty line for Date, our own headers by name, and the target. */
    public function sign(RequestInterface $request, string $date, string $nonce): RequestInterface
    {
        $own = 'x-' . strtolower($this->prefix);
        $body = (string) $request->getBody();
        $digest = $body === '' ? '' : 'sha-256=' . base64_encode(hash('sha256', $body, true));
        $lines = [$request->getMethod(), $digest, '', "$own-date:$date", "$own-nonce:$nonce", $request->getRequestTarget()];
        $signature = base64_encode(hash_hmac('sha256', implode("\n", $lines), $this->appSecret, true));
        if ($digest !== '') {
            $request = $request->withHeader('Digest', $digest);
        }
        return $request->withHeader("$own-date", $date)->withHeader("$own-nonce", $nonce)
            ->withHeader('Authorization', "{$this->prefix}-HMAC {$this->appKey}:$signature");
    }

    /** True if a refused credential is worth one more attempt. A client with a wrong clock takes the server's time. */
    public function correct(ProblemException $problem, ResponseInterface $response): bool
    {
        $theirs = strtotime($response->getHeaderLine('Date'));
        if ($problem->codigo === 'fecha-fuera-de-rango' && $theirs !== false) {
            $this->skew = $theirs - time();
            return true;
        }
        $this->token = '';
        return $problem->codigo === 'token-invalido';
    }

    private function token(): string
    {
        if ($this->token === '' || microtime(true) >= $this->until) {
            $response = ($this->send)(new Request('POST', "{$this->baseUrl}/oauth/token", [
                'Authorization' => 'Basic ' . base64_encode("{$this->appKey}:{$this->appSecret}"),
                'Content-Type' => 'application/x-www-form-urlencoded',
            ], 'grant_type=client_credentials'));
            if ($response->getStatusCode() !== 200) {
                throw new ProblemException($response);
            }
            $given = json_decode((string) $response->getBody(), true);
            if (!is_string($given['access_token'] ?? null) || !is_numeric($given['expires_in'] ?? null)) {
                throw new RodadoException("{$this->baseUrl}/oauth/token answers no token: check the server's address.");
            }
            $this->token = $given['access_token'];
            $this->until = microtime(true) + $given['expires_in'] - self::MARGIN;
        }
        return $this->token;
    }
}
