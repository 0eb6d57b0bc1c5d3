<?php // php consultas.php ana@automotores.example
require 'rodado.php';

$lista = '/v3/consultas/' . ($argv[1] ?? 'ana@automotores.example');

$etag = '';
for ($ruta = $lista; $ruta !== null; $ruta = $datos['_links']['next']['href'] ?? null) { // en la última página no está
    [, $encabezados, $datos] = llamar('GET', $ruta);
    if ($ruta === $lista) {
        $etag = $encabezados['etag'];
        echo "{$datos['Total']} en 90 días\n";
    }
    foreach ($datos['_entries'] as ['Momento' => $momento, 'Auto' => $auto, 'Interesado' => $interesado])
        echo "$momento {$auto['Marca']} {$auto['Modelo']} {$interesado['Nombre']}\n";
}

// Más tarde: si nada cambió, la respuesta es 304, sin cuerpo.
[$estado] = llamar('GET', $lista, mas: ['If-None-Match' => $etag]);
echo $estado === 304 ? "nada nuevo\n" : "hay novedades\n";
