<?php

namespace Rodado;

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook as StandardWebhook;

final class Webhook
{
    /**
     * Verifies a delivery and returns its event. The body is as received. Answer 2xx within 15 seconds; the same `Id` may come
     * again. A secret is the webhook's `Secret` or its `SecretEstandar`; give both while one replaces the other.
     *
     * @param array<string, string|string[]> $headers
     * @return array<string, mixed>
     * @throws RodadoException if no secret fits, or the delivery is too old
     */
    public static function verify(array $headers, string $body, string ...$secrets): array
    {
        $given = array_map(fn ($value) => is_array($value) ? $value[0] : $value, array_change_key_case($headers));
        // The library fails with a TypeError on a signature without a comma: without others it gets an empty one.
        $signatures = array_filter(explode(' ', $given['webhook-signature'] ?? ''), fn ($each) => str_contains($each, ','));
        $given['webhook-signature'] = implode(' ', $signatures) ?: 'v1,';
        $error = new RodadoException('A secret is needed.');
        foreach (array_filter($secrets) as $secret) {
            try {
                (new StandardWebhook(self::standard($secret)))->verify($body, $given);
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            } catch (WebhookVerificationException $cause) {
                $error = new RodadoException($cause->getMessage(), 0, $cause);
            }
        }
        throw $error;
    }

    /** The secret as Standard Webhooks has it: base64 of its bytes. */
    private static function standard(string $secret): string
    {
        return str_starts_with($secret, 'whsec_') ? $secret : 'whsec_' . base64_encode($secret);
    }
}
