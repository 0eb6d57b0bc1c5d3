import { Layout } from '../layout.tsx'

const DOORS = [
  ['/docs/guia', 'Guía', 'De las claves de su app a la primera consulta recibida, paso a paso y en cinco lenguajes.'],
  ['/docs', 'Referencia', 'Cada operación, cada notificación y cada dato, con sus ejemplos.'],
  ['/entrar', 'Entrar', 'Para quienes desarrollan una app, trabajan en una agencia o atienden el mercado.'],
  ['/problemas', 'Problemas', 'Qué significa cada rechazo y qué hacer cuando aparece.'],
  ['/openapi.json', 'openapi.json', 'La misma referencia para programas: clientes, pruebas y editores.'],
  ['/health/ready', 'Estado', 'Si este servidor puede atender ahora.'],
] as const

export function landingPage() {
  return (
    <Layout description="La API para asociados de un mercado de vehículos.">
      <header class="lead">
        <h1>El mercado de vehículos, abierto a su sistema</h1>
        <p>
          Este servidor es la API para apps asociadas: con ella un sistema de gestión invita agencias, publica sus
          autos, recibe sus consultas en el momento y traduce sus propios datos a los catálogos del mercado.
        </p>
      </header>
      <ul class="doors">
        {DOORS.map(([href, title, text]) => (
          <li key={href}>
            <a href={href}>
              <strong>{title}</strong>
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </Layout>
  )
}
