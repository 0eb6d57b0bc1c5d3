<?php // php publicar.php ana@automotores.example
require 'rodado.php';

$adminMail = $argv[1] ?? 'ana@automotores.example';
$autos = [
    [
        'ExternalId' => 'AB-1023', 'Marca' => 'vw', 'Modelo' => 'amarok', 'Version' => 'V6 Extreme', 'VersionYear' => 2023,
        'Kilometraje' => 21000, 'Color' => 'gris', 'Precio' => ['Moneda' => 'USD', 'Importe' => 42000],
    ],
    ['ExternalId' => 'AB-1024', 'Marca' => 'fiat', 'Modelo' => 'cronos', 'Version' => '1.3 drive', 'VersionYear' => 2022],
    ['ExternalId' => 'AB-1025', 'Marca' => 'Ford', 'Modelo' => 'Ka', 'Color' => 'color de viento'],
];

[, , $lote] = llamar('POST', "/v3/publicaciones/$adminMail/lote", $autos);
foreach ($lote['_entries'] as $fila)
    echo $fila['ExternalId'], ' ', $fila['Resultado'], ' ', json_encode($fila['Errors'] ?? '', JSON_UNESCAPED_UNICODE), "\n";
