<?php // php con-token.php
declare(strict_types=1);

function pedir(string $ruta, array $opciones): string
{
    $curl = curl_init((getenv('RODADO_URL') ?: 'http://127.0.0.1:3000') . $ruta);
    curl_setopt_array($curl, $opciones + [CURLOPT_RETURNTRANSFER => true, CURLOPT_FAILONERROR => true]);
    $texto = curl_exec($curl);
    if ($texto === false) throw new RuntimeException(curl_error($curl));
    return $texto;
}

/** Un token sirve una hora: guárdelo (APCu, Redis, un archivo) hasta un minuto antes de que venza. */
function pedirToken(): string
{
    $dado = json_decode(pedir('/oauth/token', [
        CURLOPT_USERPWD => getenv('APP_KEY') . ':' . getenv('APP_SECRET'),
        CURLOPT_POSTFIELDS => 'grant_type=client_credentials',
    ]), true);
    return $dado['access_token'];
}

echo pedir('/v3/colores?q=rojo', [CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . pedirToken()]]), "\n";
