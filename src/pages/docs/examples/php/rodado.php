<?php
declare(strict_types=1);

/** base64(HMAC-SHA256(AppSecret, texto)); el texto son estas líneas, unidas por \n. */
function firma(string $metodo, string $ruta, array $encabezados, string $secreto): string
{
    $propios = [];
    foreach ($encabezados as $nombre => $valor) {
        $nombre = strtolower($nombre);
        if (str_starts_with($nombre, 'x-svc-')) $propios[$nombre] = "$nombre:" . trim($valor);
    }
    ksort($propios, SORT_STRING);
    $lineas = [$metodo, $encabezados['Digest'] ?? '', $encabezados['Date'] ?? '', ...array_values($propios), $ruta];
    return base64_encode(hash_hmac('sha256', implode("\n", $lineas), $secreto, true));
}

/** Un rechazo: Title y Detail dicen qué pasó; Errors, en qué campos. El estado 0 es que falló la red. */
final class Problema extends RuntimeException
{
    public function __construct(public int $estado, public array $encabezados, public array $datos)
    {
        parent::__construct("$estado " . ($datos['Detail'] ?? '') . ' ' . json_encode($datos['Errors'] ?? []));
    }
}

/** Firma la solicitud y la envía. Devuelve estado, encabezados (en minúsculas) y datos. */
function llamar(string $metodo, string $ruta, ?array $cuerpo = null, array $mas = []): array
{
    $encabezados = [
        'X-SVC-Date' => gmdate('D, d M Y H:i:s') . ' GMT',
        'X-SVC-Nonce' => bin2hex(random_bytes(16)), // distingue dos solicitudes iguales en el mismo segundo
        ...$mas,
    ];
    $bytes = $cuerpo === null ? null : json_encode($cuerpo, JSON_THROW_ON_ERROR);
    if ($bytes !== null) {
        $encabezados['Content-Type'] = 'application/json';
        $encabezados['Digest'] = 'sha-256=' . base64_encode(hash('sha256', $bytes, true));
    }
    $clave = firma($metodo, $ruta, $encabezados, (string) getenv('APP_SECRET'));
    $encabezados['Authorization'] = 'SVC-HMAC ' . getenv('APP_KEY') . ":$clave";

    $recibidos = [];
    $curl = curl_init((getenv('RODADO_URL') ?: 'http://127.0.0.1:3000') . $ruta);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $metodo,
        CURLOPT_HTTPHEADER => array_map(fn ($n, $v) => "$n: $v", array_keys($encabezados), $encabezados),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HEADERFUNCTION => function ($_, string $linea) use (&$recibidos): int {
            [$nombre, $valor] = explode(':', $linea, 2) + [1 => ''];
            $recibidos[strtolower($nombre)] = trim($valor);
            return strlen($linea);
        },
    ]);
    if ($bytes !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, $bytes);
    $texto = curl_exec($curl);
    if ($texto === false) throw new Problema(0, [], ['Detail' => curl_error($curl)]);
    $estado = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $datos = json_decode($texto, true) ?? [];
    if ($estado >= 400) throw new Problema($estado, $recibidos, $datos);
    return [$estado, $recibidos, $datos];
}
