<?php

namespace Rodado;

use Psr\Http\Message\ResponseInterface;

/** The server refused. */
class ProblemException extends RodadoException
{
    public readonly int $status;
    /** The last part of `Type`, or OAuth's own code. */
    public readonly string $problem;
    /** @var array<string, string[]> Messages by field; `_` has those of the whole entry. */
    public readonly array $errors;
    /** @var array<string, string[]> Stable codes by field, as `errors`. */
    public readonly array $codes;
    /** The stable code of a problem that is not a 400. */
    public readonly ?string $codigo;
    /** @var array<string, mixed> */
    public readonly array $extensions;
    public readonly string $requestId;
    public readonly ?int $retryAfter;
    /** True if the response is the server's own, not a proxy's. */
    public readonly bool $isOurs;

    public function __construct(ResponseInterface $response)
    {
        $decoded = json_decode((string) $response->getBody(), true);
        $body = is_array($decoded) ? $decoded : [];
        $type = $body['Type'] ?? $body['error'] ?? '';
        $after = $response->getHeaderLine('Retry-After');
        $this->status = $response->getStatusCode();
        $this->problem = basename($type);
        $this->errors = $body['Errors'] ?? [];
        $this->extensions = $body['Extensions'] ?? [];
        $this->codes = $this->extensions['Codigos'] ?? [];
        $this->codigo = $this->extensions['Codigo'] ?? null;
        $this->requestId = $response->getHeaderLine('X-Request-Id');
        $this->retryAfter = match (true) {
            ctype_digit($after) => (int) $after,
            strtotime($after) !== false => max(0, strtotime($after) - time()),
            default => null,
        };
        $this->isOurs = str_contains($type, '/problemas/');
        $fields = array_map(fn ($field, $texts) => "$field: " . implode(' ', $texts), array_keys($this->errors), $this->errors);
        $text = implode('; ', $fields) ?: $body['Detail'] ?? $body['error_description'] ?? $response->getReasonPhrase();
        parent::__construct("{$this->status} $text", $this->status);
    }
}
