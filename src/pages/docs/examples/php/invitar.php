<?php // php invitar.php ana@automotores.example
require 'rodado.php';

try {
    [, $encabezados] = llamar('POST', '/v3/agencias', [
        'AdminMail' => $argv[1] ?? 'ana@automotores.example',
        'Nombre' => 'Automotores Ana',
        'Region' => 'Bs As',
        'Ciudad' => 'temperlei',
        'Mensaje' => 'Hola, Ana: con esto sus consultas llegan directo al CRM.',
    ]);
    // Guarde esta dirección: ahí se lee el estado de la invitación.
    $direccion = $encabezados['location'];
    [, , $agencia] = llamar('GET', $direccion);
    echo "{$agencia['Estado']} {$agencia['Invitacion']['Estado']} hasta {$agencia['Invitacion']['Vence']}\n";
} catch (Problema $problema) {
    if ($problema->estado !== 409) throw $problema;
    // Ya está registrada: su administrador asocia la app en esta página.
    echo "ya registrada: {$problema->datos['Extensions']['Conectar']}\n";
}
