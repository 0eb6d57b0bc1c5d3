import { Icon, type IconName } from '../icon.tsx'
import { Layout } from '../layout.tsx'
import { ButtonLink, Code, Json, SecondaryLink } from '../parts.tsx'

/** The call that the page shows, and its answer; a test makes it. */
export const FIRST_CALL = '/v3/colores/bestmatch?color=gris%20nardo'
export const FIRST_ANSWER = {
  Nombre: 'Gris',
  HtmlColor: '#808080',
  _links: { self: { href: '/v3/colores/3' }, colores: { href: '/v3/colores' } },
}

const ABILITIES: [icon: IconName, title: string, text: string][] = [
  [
    'car',
    'Publique el stock',
    'Sus autos llegan al mercado desde su sistema, uno por uno o de a miles, y cambian cuando cambian allí.',
  ],
  [
    'zap',
    'Reciba cada consulta en el momento',
    'Un webhook firmado le entrega la consulta apenas llega. Si su servidor no responde, insistimos.',
  ],
  [
    'building-2',
    'Sume agencias',
    'Invite a sus clientes con una llamada. Cada agencia decide qué puede hacer su app, y lo ve.',
  ],
  [
    'search',
    'Hable el idioma del mercado',
    '«Bs As», «gris nardo», «Cronos 1.3 drive»: traducimos sus datos a los catálogos, aunque tengan errores.',
  ],
  [
    'shield-check',
    'Pruebe sin riesgo',
    'El modo de prueba tiene agencias y consultas de ficción, que responden solas. Nada llega a una persona.',
  ],
  [
    'activity',
    'Vea qué pasó',
    'El portal muestra cada entrega con su intento y su respuesta, y reenvía lo que haga falta.',
  ],
]

const STEPS: [title: string, text: string][] = [
  ['Reciba sus claves', 'El mercado le da a su app un AppKey y un AppSecret, primero en modo de prueba.'],
  ['Conecte y pruebe', 'La guía trae programas completos en cinco lenguajes; el portal le dice qué falta.'],
  ['Salga a producción', 'Invite a su primera agencia, publique su stock y atienda la primera consulta.'],
]

const LINKS: [href: string, icon: IconName, title: string, text: string][] = [
  ['/docs/guia', 'book-open', 'Guía', 'De las claves a la primera consulta, paso a paso.'],
  ['/docs', 'code', 'Referencia', 'Cada operación, notificación y dato, con ejemplos.'],
  ['/problemas', 'circle-alert', 'Problemas', 'Qué significa cada rechazo y qué hacer.'],
  ['/openapi.json', 'plug', 'openapi.json', 'La referencia para programas y editores.'],
]

export function landingPage({ publicUrl }: { publicUrl: string }) {
  return (
    <Layout description="La API para asociados de un mercado de vehículos.">
      <div class="landing">
        <header class="hero">
          <div>
            <h1>El mercado de vehículos, conectado a su sistema</h1>
            <p>
              Con nuestra API, el sistema con el que trabajan las agencias publica sus autos, recibe sus consultas en el
              momento y mantiene todo al día.
            </p>
            <p class="row">
              <ButtonLink href="/docs/guia">
                Empezar con la guía
                <Icon name="arrow-right" />
              </ButtonLink>
              <SecondaryLink href="/entrar">Entrar al portal</SecondaryLink>
            </p>
          </div>
          <FirstCall publicUrl={publicUrl} />
        </header>

        <section>
          <h2>Qué puede hacer su sistema</h2>
          <ul class="abilities">
            {ABILITIES.map(([icon, title, text]) => (
              <li key={title}>
                <Icon name={icon} />
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>

        <section>
          <h2>Cómo funciona</h2>
          <ol class="three-steps">
            {STEPS.map(([title, text]) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </section>

        <section>
          <h2>Todo está documentado</h2>
          <ul class="doors">
            {LINKS.map(([href, icon, title, text]) => (
              <li key={href}>
                <a href={href}>
                  <strong>
                    <Icon name={icon} /> {title}
                  </strong>
                  <span>{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>

        <section class="closing">
          <h2>¿Trabaja en una agencia?</h2>
          <p>Entre a su cuenta para ver sus consultas y sus avisos, y para decidir qué apps trabajan con usted.</p>
          <p>
            <SecondaryLink href="/entrar">Entrar</SecondaryLink>
          </p>
        </section>
      </div>
    </Layout>
  )
}

const FirstCall = ({ publicUrl }: { publicUrl: string }) => (
  <div class="first-call">
    <Code label="La primera llamada">
      <span class="comment"># Un token para una hora, con las claves de su app</span>
      {`
curl ${publicUrl}/oauth/token \\
  -u "$APP_KEY:$APP_SECRET" \\
  -d grant_type=client_credentials

`}
      <span class="comment"># Su color, en el catálogo del mercado</span>
      {`
curl "${publicUrl}${FIRST_CALL}" \\
  -H "Authorization: Bearer $TOKEN"`}
    </Code>
    <Code label="La respuesta">
      <Json value={FIRST_ANSWER} />
    </Code>
  </div>
)
