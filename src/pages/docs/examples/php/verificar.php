<?php // SECRET=whsec_… php -S 127.0.0.1:4000 verificar.php
declare(strict_types=1);

ini_set('display_errors', '0'); // un error contesta 500, no 200, y la notificación vuelve
const VENTANA = 300; // segundos: lo más viejo puede ser una copia que alguien repite

function esNuestro(string $id, string $momento, string $firmas, string $cuerpo, string $secret): bool
{
    if (abs(time() - (int) $momento) > VENTANA) return false;
    // Lo que sigue a whsec_ es base64; un Secret propio se usa tal cual.
    $clave = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $esperada = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$momento.$cuerpo", $clave, true));
    // Mientras se cambia el Secret hay dos firmas, separadas por un espacio: basta con una.
    foreach (explode(' ', $firmas) as $firma) {
        if (hash_equals($esperada, $firma)) return true;
    }
    return false;
}

$secret = getenv('SECRET') ?: throw new RuntimeException('Falta SECRET: sin él, cualquiera puede firmar.');
$cuerpo = file_get_contents('php://input'); // se firman los bytes, no lo que significan
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$momento = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
if (!esNuestro($id, $momento, $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '', $cuerpo, $secret)) {
    http_response_code(401);
    exit;
}

if (!is_dir('notificaciones')) @mkdir('notificaciones');
$archivo = @fopen("notificaciones/$id.json", 'x'); // guardar primero, contestar después
if ($archivo !== false) {
    fwrite($archivo, $cuerpo);
    error_log("nuevo $id");
} elseif (is_file("notificaciones/$id.json")) {
    error_log("repetido $id"); // puede llegar dos veces, siempre con el mismo id
} else {
    http_response_code(500);
    exit;
}
http_response_code(204);
