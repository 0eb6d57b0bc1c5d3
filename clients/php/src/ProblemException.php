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
        // A proxy may answer JSON of its own.
        $list = fn (mixed $value): array => is_array($value) ? $value : [];
        $text = fn (mixed $value): ?string => is_string($value) ? $value : null;
        $type = $text($body['Type'] ?? null) ?? $text($body['error'] ?? null) ?? '';
        $after = $response->getHeaderLine('Retry-After');
        $this->status = $response->getStatusCode();
        $this->problem = basename($type);
        $this->errors = array_filter($list($body['Errors'] ?? null), is_array(...));
        $this->extensions = $list($body['Extensions'] ?? null);
        $this->codes = $list($this->extensions['Codigos'] ?? null);
        $this->codigo = $text($this->extensions['Codigo'] ?? null);
        $this->requestId = $response->getHeaderLine('X-Request-Id');
        $this->retryAfter = match (true) {
            ctype_digit($after) => (int) $after,
            strtotime($after) !== false => max(0, strtotime($after) - time()),
            default => null,
        };
        $this->isOurs = str_contains($type, '/problemas/');
        $fields = array_map(fn ($field, $texts) => "$field: " . implode(' ', $texts), array_keys($this->errors), $this->errors);
        $why = $text($body['Detail'] ?? null) ?? $text($body['error_description'] ?? null) ?? $response->getReasonPhrase();
        parent::__construct("{$this->status} " . (implode('; ', $fields) ?: $why), $this->status);
    }
}
