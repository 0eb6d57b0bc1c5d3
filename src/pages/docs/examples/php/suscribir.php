<?php // php suscribir.php consulta.recibida https://crm.example/notificaciones
require 'rodado.php';

$webhook = '/v3/appnotificaciones/' . ($argv[1] ?? 'consulta.recibida');
$cuerpo = ['Callback' => $argv[2] ?? 'https://crm.example/notificaciones'];

try {
    [, , $datos] = llamar('POST', $webhook, $cuerpo);
    echo $datos['Secret'], "\n"; // se muestra solo ahora: guárdelo donde lo lea su receptor
} catch (Problema $problema) {
    if ($problema->estado !== 409) throw $problema;
    // Ya estaba configurado: se reemplaza, y el Secret que no se envía queda como estaba.
    [, , $datos] = llamar('PUT', $webhook, $cuerpo);
    echo "ahora va a {$datos['Callback']}\n";
}
