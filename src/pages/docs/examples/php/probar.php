<?php // php probar.php consulta.recibida
require 'rodado.php';

$topic = $argv[1] ?? 'consulta.recibida';
[, $encabezados] = llamar('POST', "/v3/appnotificaciones/$topic/prueba");
$direccion = $encabezados['location']; // la entrega, en el registro

do {
    usleep(500_000);
    [, , $entrega] = llamar('GET', $direccion);
} while ($entrega['Intentos'] === []);

$intento = $entrega['Intentos'][0];
echo $entrega['Estado'], ' ', $intento['Status'] ?? $intento['Error'], " {$intento['DuracionMs']} ms\n";
