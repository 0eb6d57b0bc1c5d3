// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Firmar GET '/v3/colores?q=rojo'
import com.google.gson.JsonParser;

public class Firmar {
    public static void main(String[] args) throws Exception {
        String metodo = args.length > 0 ? args[0] : "GET";
        String ruta = args.length > 1 ? args[1] : "/v3/colores?q=rojo";
        var cuerpo = args.length > 2 ? JsonParser.parseString(args[2]) : null;
        var respuesta = Rodado.llamar(metodo, ruta, cuerpo);
        System.out.println(respuesta.estado() + " " + respuesta.datos());
    }
}
