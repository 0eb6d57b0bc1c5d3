// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Consultas ana@automotores.example
public class Consultas {
    public static void main(String[] args) throws Exception {
        String lista = "/v3/consultas/" + (args.length > 0 ? args[0] : "ana@automotores.example");
        String etag = "";
        for (String ruta = lista; ruta != null; ) {
            var respuesta = Rodado.llamar("GET", ruta, null);
            var datos = respuesta.datos();
            if (ruta.equals(lista)) {
                etag = respuesta.encabezado("ETag");
                System.out.println(datos.get("Total") + " en 90 días");
            }
            for (var cada : datos.getAsJsonArray("_entries")) {
                var consulta = cada.getAsJsonObject();
                var auto = consulta.getAsJsonObject("Auto");
                System.out.println(String.join(" ",
                    consulta.get("Momento").getAsString(),
                    auto.get("Marca").getAsString(),
                    auto.get("Modelo").getAsString(),
                    consulta.getAsJsonObject("Interesado").get("Nombre").getAsString()));
            }
            var siguiente = datos.getAsJsonObject("_links").getAsJsonObject("next"); // en la última página no está
            ruta = siguiente == null ? null : siguiente.get("href").getAsString();
        }

        // Más tarde: si nada cambió, la respuesta es 304, sin cuerpo.
        int estado = Rodado.llamar("GET", lista, null, "If-None-Match", etag).estado();
        System.out.println(estado == 304 ? "nada nuevo" : "hay novedades");
    }
}
