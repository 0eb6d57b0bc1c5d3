import type { Document } from '../../../http/openapi/document.ts'
import { DESCRIPTIONS, TOPICS } from '../../../webhooks/topics.ts'
import { Layout } from '../../layout.tsx'
import { Anchored } from '../../parts.tsx'
import { tagAnchor } from '../anchors.ts'
import { Aside } from '../aside.tsx'
import { LANGUAGES, type Language, languages } from '../languages.ts'
import { chapterHref, type Reader } from './chapter.ts'
import { CHAPTERS } from './chapters.ts'
import { GuideContents } from './contents.tsx'
import { Topic } from './links.tsx'

/** The first page of the guide. */
export function startPage(document: Document, reader: Reader) {
  const { language } = reader
  const contents = (
    <Aside>
      <GuideContents language={language} open="" />
    </Aside>
  )
  return (
    <Layout title="Guía" description="Los primeros pasos con la API." section="/docs/guia" aside={contents}>
      <header class="lead">
        <h1>Guía para desarrolladores</h1>
        <p>
          De las claves de su app a una agencia que publica sus autos y recibe sus consultas en el momento. Cada ejemplo
          es un programa completo: se copia y anda.
        </p>
      </header>
      <FirstSteps reader={reader} />
      <section id="capitulos">
        <Anchored id="capitulos" level={2}>
          Capítulos
        </Anchored>
        <ol class="doors numbered">
          {CHAPTERS.map(({ slug, title, summary }) => (
            <li key={slug}>
              <a href={chapterHref(slug, language)}>
                <strong>{title}</strong>
                <span>{summary}</span>
              </a>
            </li>
          ))}
        </ol>
      </section>
      <ResourcesSection document={document} />
      <EventsSection />
    </Layout>
  )
}

function FirstSteps({ reader: { language } }: { reader: Reader }) {
  return (
    <section id="primeros-pasos">
      <Anchored id="primeros-pasos" level={2}>
        Primeros pasos
      </Anchored>
      <ol class="first-steps">
        <li>
          <strong>Tenga a mano las claves.</strong> El mercado le da a su app un <code>AppKey</code> y un{' '}
          <code>AppSecret</code>; los ejemplos los leen de <code>APP_KEY</code> y <code>APP_SECRET</code>.
        </li>
        <li>
          <strong>Elija su lenguaje.</strong> Se recuerda en toda la guía.
          <LanguageChoice language={language} />
        </li>
        <li>
          <strong>Firme una llamada.</strong> <a href={chapterHref('firmar', language)}>El cliente de un archivo</a> es
          lo único que hace falta copiar; todo lo demás lo usa.
        </li>
        <li>
          <strong>Escuche.</strong> <a href={chapterHref('suscribir', language)}>Configure un webhook</a>, pruébelo, y{' '}
          <a href={chapterHref('verificar', language)}>verifique lo que llega</a>.
        </li>
      </ol>
    </section>
  )
}

const LanguageChoice = ({ language }: { language: Language }) => (
  <ul class="languages choice" aria-label="Lenguaje de los ejemplos">
    {languages.map((each) => (
      <li key={each}>
        <a href={`?lenguaje=${each}#primeros-pasos`} aria-current={each === language ? 'true' : undefined}>
          {LANGUAGES[each].title}
        </a>
      </li>
    ))}
  </ul>
)

/** Operations that partners do not need first are left out. */
const NOT_FOR_PARTNERS = new Set(['Interno', 'Salud'])

function ResourcesSection({ document: { tags } }: { document: Document }) {
  return (
    <section id="recursos">
      <Anchored id="recursos" level={2}>
        La referencia, por recurso
      </Anchored>
      <dl class="fields short">
        {tags
          .filter(({ name }) => !NOT_FOR_PARTNERS.has(name))
          .map(({ name, description }) => (
            <div key={name}>
              <dt>
                <a href={`/docs#${tagAnchor(name)}`}>{name}</a>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
      </dl>
      <p>
        Todo lo demás: <a href="/docs">la referencia completa</a>, <a href="/problemas">los problemas</a> uno por uno, y{' '}
        <a href="/openapi.json">openapi.json</a> para programas.
      </p>
    </section>
  )
}

function EventsSection() {
  return (
    <section id="notificaciones">
      <Anchored id="notificaciones" level={2}>
        Las notificaciones
      </Anchored>
      <p>
        Una notificación es un <code>POST</code> firmado que su receptor recibe en el momento en que algo ocurre. Cada
        clase de hecho es un topic. (Un aviso es otra cosa: un auto que una agencia publica.)
      </p>
      <dl class="fields short">
        {TOPICS.map((topic) => (
          <div key={topic}>
            <dt>
              <Topic name={topic} />
            </dt>
            <dd>{DESCRIPTIONS[topic]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
