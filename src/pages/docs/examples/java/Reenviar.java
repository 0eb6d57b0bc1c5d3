// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Reenviar consulta.recibida 2026-03-01
public class Reenviar {
    public static void main(String[] args) throws Exception {
        String topic = args.length > 0 ? args[0] : "consulta.recibida";
        String desde = args.length > 1 ? args[1] : "2026-03-01";
        String ruta = "/v3/appnotificaciones/" + topic + "/entregas/reenviar?estado=fallida,descartada&desde=" + desde;

        var cuenta = Rodado.llamar("POST", ruta + "&simular=true", null).datos();
        System.out.println(cuenta.get("Cantidad") + " sin entregar");

        var datos = Rodado.llamar("POST", ruta, null).datos();
        System.out.println("Reenviadas, con los mismos Id: " + datos.get("Cantidad"));
    }
}
