<?php // php ensayar.php (con las claves de API de una app en modo de prueba)
require 'rodado.php';

[, , $agencias] = llamar('GET', '/v3/agencias');
$adminMail = $agencias['_entries'][0]['AdminMail'];

// Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
[, , $generadas] = llamar('POST', '/v3/prueba/consultas', ['AdminMail' => $adminMail, 'Cantidad' => 2]);
foreach ($generadas['_entries'] as $consulta) echo "llegó {$consulta['title']}\n";

[, , $consulta] = llamar('GET', $generadas['_entries'][0]['href']);
echo "{$consulta['Interesado']['Nombre']} pregunta por {$consulta['Auto']['Marca']} {$consulta['Auto']['Modelo']}\n";
