<?php // php traducir.php 'Bs As' temperlei
require 'rodado.php';

$consulta = http_build_query(['state' => $argv[1] ?? 'Bs As', 'city' => $argv[2] ?? 'temperlei']);

try {
    [, $encabezados, $ciudad] = llamar('GET', "/v3/ciudades/bestmatch?$consulta");
    echo "{$ciudad['Nombre']} ({$ciudad['Region']}) {$encabezados['match']}\n";
} catch (Problema $problema) {
    if ($problema->estado !== 400) throw $problema;
    // No está claro: se ofrece lo que se parece, y decide una persona.
    foreach ($problema->datos['Extensions']['Candidatos'] ?? [] as $candidato)
        echo "quizás {$candidato['title']} {$candidato['href']}\n";
}
