<?php // php eventos.php
require 'rodado.php';

$ruta = is_file('cursor.txt') ? file_get_contents('cursor.txt') : '/v3/eventos';
do {
    [, , $datos] = llamar('GET', $ruta);
    foreach ($datos['_entries'] as $evento) echo "{$evento['Topic']} {$evento['Id']}\n"; // aquí va su trabajo
    $ruta = $datos['_links']['next']['href'];
    file_put_contents('cursor.txt', $ruta); // solo cuando el trabajo está hecho
} while ($datos['_entries'] !== []);
