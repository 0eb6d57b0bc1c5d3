// javac -encoding UTF-8 -cp gson.jar *.java && java -cp .:gson.jar Invitar ana@automotores.example
import java.util.Map;

public class Invitar {
    public static void main(String[] args) throws Exception {
        String adminMail = args.length > 0 ? args[0] : "ana@automotores.example";
        try {
            var invitada = Rodado.llamar("POST", "/v3/agencias", Map.of(
                "AdminMail", adminMail,
                "Nombre", "Automotores Ana",
                "Region", "Bs As",
                "Ciudad", "temperlei",
                "Mensaje", "Hola, Ana: con esto sus consultas llegan directo al CRM."));
            // Guarde esta dirección: ahí se lee el estado de la invitación.
            var datos = Rodado.llamar("GET", invitada.encabezado("Location"), null).datos();
            var invitacion = datos.getAsJsonObject("Invitacion");
            String estado = datos.get("Estado").getAsString() + " " + invitacion.get("Estado").getAsString();
            System.out.println(estado + " hasta " + invitacion.get("Vence").getAsString());
        } catch (Rodado.Problema problema) {
            if (problema.respuesta.estado() != 409) throw problema;
            // Ya está registrada: su administrador asocia la app en esta página.
            var extensiones = problema.respuesta.datos().getAsJsonObject("Extensions");
            System.out.println("ya registrada: " + extensiones.get("Conectar").getAsString());
        }
    }
}
