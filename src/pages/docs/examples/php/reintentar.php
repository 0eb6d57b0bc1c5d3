<?php // php reintentar.php
require 'rodado.php';

/** Repite lo que más tarde puede salir bien. Cada intento llama de nuevo: fecha, nonce y firma son otros. */
function conReintentos(callable $intento, int $veces = 5): array
{
    for ($numero = 1; ; $numero++) {
        try {
            return $intento();
        } catch (Problema $problema) {
            $esPasajero = in_array($problema->estado, [0, 429], true) || $problema->estado >= 500; // 0: falló la red
            if (!$esPasajero || $numero === $veces) throw $problema;
            // 2, 4, 8 … y al azar, para no volver todos juntos
            $segundos = (float) ($problema->encabezados['retry-after'] ?? lcg_value() * 2 ** $numero);
            printf("se reintenta en %.1f s\n", $segundos);
            usleep((int) ($segundos * 1_000_000));
        }
    }
}

[$estado] = conReintentos(fn () => llamar('GET', '/v3/marcas?q=fiat'));
echo $estado, "\n";
