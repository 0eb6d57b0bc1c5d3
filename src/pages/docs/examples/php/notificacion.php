<?php
declare(strict_types=1);

/** Verifica la firma de id, momento y topic, no del cuerpo; también con el Secret anterior. */
function esNotificacionNuestra(array $encabezados, string $secret): bool
{
    $clave = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $momento = $encabezados['Notification-Timestamp'] ?? '';
    $texto = implode("\n", [$encabezados['Notification-Hook-ID'] ?? '', $momento, $encabezados['Notification-Topic'] ?? '']);
    $esperada = base64_encode(hash_hmac('sha256', $texto, $clave, true));
    $esReciente = abs(time() - (int) $momento) <= 300;
    return $esReciente && (hash_equals($esperada, $encabezados['Notification-Signature'] ?? '')
        || hash_equals($esperada, $encabezados['Notification-Signature-Anterior'] ?? ''));
}
