// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Reintentar
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;

public class Reintentar {
    /** Repite lo que más tarde puede salir bien. Cada intento llama de nuevo: fecha, nonce y firma son otros. */
    static <T> T conReintentos(Callable<T> intento, int veces) throws Exception {
        for (int numero = 1; ; numero++) {
            double segundos = Math.random() * Math.pow(2, numero); // 2, 4, 8 … y al azar, para no volver todos juntos
            try {
                return intento.call();
            } catch (Rodado.Problema problema) {
                int estado = problema.respuesta.estado();
                boolean esPasajero = estado == 429 || estado >= 500;
                if (!esPasajero || numero == veces) throw problema;
                String pedidos = problema.respuesta.encabezado("Retry-After");
                if (!pedidos.isEmpty()) segundos = Double.parseDouble(pedidos);
            } catch (IOException error) { // falló la red
                if (numero == veces) throw error;
            }
            System.out.println(String.format(Locale.ROOT, "se reintenta en %.1f s", segundos));
            Thread.sleep((long) (segundos * 1000));
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(conReintentos(() -> Rodado.llamar("GET", "/v3/marcas?q=fiat", null), 5).estado());
    }
}
