import { fullName } from '../../../accounts/account.ts'
import { OwnPage, type OwnVisit } from '../visit.tsx'

/** How the person signs in, and where they are signed in. */
export const accessPage = ({ visit }: { visit: OwnVisit }) => (
  <OwnPage visit={visit} section="/cuenta/acceso" title="Mi acceso">
    <div class="measure own">
      <dl class="data">
        <div>
          <dt>Nombre</dt>
          <dd>{fullName(visit.account)}</dd>
        </div>
        <div>
          <dt>Correo</dt>
          <dd>{visit.account.email}</dd>
        </div>
      </dl>
      <section>
        <h2>Clave</h2>
        <p>Al cambiarla se cierran las sesiones abiertas en otros dispositivos.</p>
        <a class="button secondary" href="/cuenta/clave">
          Cambiar la clave
        </a>
      </section>
      <section>
        <h2>Sesiones</h2>
        <p>Si perdió un teléfono, o entró en una computadora que no es suya, ciérrelas. Esta queda abierta.</p>
        <form method="post" action="/cuenta/sesiones">
          <button type="submit" class="secondary">
            Cerrar todas las sesiones
          </button>
        </form>
      </section>
    </div>
  </OwnPage>
)
