<?php // php firmar.php GET '/v3/colores?q=rojo'
require 'rodado.php';

$cuerpo = isset($argv[3]) ? json_decode($argv[3], true) : null;
[$estado, , $datos] = llamar($argv[1] ?? 'GET', $argv[2] ?? '/v3/colores?q=rojo', $cuerpo);
echo $estado, ' ', json_encode($datos, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), "\n";
