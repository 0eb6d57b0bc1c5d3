<?php // php reenviar.php consulta.recibida 2026-03-01
require 'rodado.php';

[$topic, $desde] = [$argv[1] ?? 'consulta.recibida', $argv[2] ?? '2026-03-01'];
$ruta = "/v3/appnotificaciones/$topic/entregas/reenviar?estado=fallida,descartada&desde=$desde";

[, , $cuenta] = llamar('POST', "$ruta&simular=true");
echo "{$cuenta['Cantidad']} sin entregar\n";

[, , $datos] = llamar('POST', $ruta);
echo "Reenviadas, con los mismos Id: {$datos['Cantidad']}\n";
