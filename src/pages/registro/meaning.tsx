import { ALWAYS } from '../permissions.tsx'

/** What it means to let an app in, before anybody does. */
export const Meaning = ({ app, edits }: { app: string; edits: boolean }) => (
  <section class="meaning" aria-labelledby="significa">
    <h2 id="significa">Qué significa</h2>
    <p>{app} podrá ver:</p>
    <ul class="checks">
      {ALWAYS.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
    {edits && (
      <>
        <p>Y podrá:</p>
        <ul class="checks">
          <li>Editar los datos de la agencia. Le avisamos por correo de cada cambio.</li>
        </ul>
      </>
    )}
    <p>No verá su clave ni las consultas de otros avisos, salvo que usted lo permita.</p>
    <p>
      <strong>Usted decide.</strong> Desde su cuenta puede cambiar lo que la app ve, o terminar la asociación, cuando
      quiera.
    </p>
  </section>
)

/** What the app wrote, as it wrote it: nothing in it can be clicked. */
export const Message = ({ text, app }: { text: string | null; app: string }) =>
  text ? (
    <figure class="message">
      <figcaption>Mensaje de {app}</figcaption>
      <blockquote>{text}</blockquote>
    </figure>
  ) : null
