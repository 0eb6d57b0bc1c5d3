import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { signatureNames } from '../../auth/signature.ts'
import { unauthorized } from '../../auth/unauthorized.ts'
import { MAX_BODY_BYTES } from '../../http/body.ts'
import { CODE_LIST } from '../../http/codes.ts'
import { chooseType } from '../../http/negotiation.ts'
import {
  changedSinceRead,
  conflict,
  fault,
  forbidden,
  internalError,
  invalid,
  methodNotAllowed,
  notAcceptable,
  notFound,
  PROBLEMS,
  type Problem,
  type ProblemName,
  tooLarge,
  tooManyRequests,
  unavailable,
  unsupportedType,
} from '../../http/problems.ts'
import { byLocale, currentLocale } from '../../i18n/locale.ts'
import { message, rich, t } from '../../i18n/messages.tsx'
import type { Names } from '../docs/examples.ts'
import { DocsLayout, docsHeaders } from '../docs/layout.tsx'
import { translate } from '../docs/translate.ts'
import { readMarkdown, renderMarkdown } from '../markdown.tsx'
import { PUBLIC, page, renderOnce } from '../page.ts'
import { Section, Status } from '../parts.tsx'
import { publicHref } from '../public-href.ts'
import { allowScript } from '../security.ts'
import { codeHref, codePage, codesOf, ProblemSample, ProblemsAside } from './codes.tsx'

/** /problemas: the pages that the `Type` of a problem leads to. */
export function problemsRoutes(app: FastifyInstance, names: Names): void {
  const contents = renderOnce(contentsPage)
  const list = codesEntry(names.publicUrl)
  app.get('/problemas', PUBLIC, ({ headers }, reply) => {
    reply.header('vary', 'Accept')
    if (chooseType(headers.accept, ['text/html', 'application/json']) !== 'application/json')
      return page(docsHeaders(reply, names), contents())
    return reply.type('application/json').send(list)
  })

  const rendered = (name: ProblemName) => [name as string, renderOnce(() => problemPage(name, names))] as const
  const problems = new Map((Object.keys(PROBLEMS) as ProblemName[]).map(rendered))
  app.get<{ Params: { nombre: string } }>('/problemas/:nombre', PUBLIC, ({ params: { nombre } }, reply) => {
    const problem = problems.get(nombre)
    return problem
      ? page(docsHeaders(reply, names), problem())
      : page(allowScript(reply), unknownProblemPage(nombre), 404)
  })

  const exampleOf = ({ problem }: (typeof CODE_LIST)[number]) => examples(names.signaturePrefix)[problem]
  const codes = new Map(
    CODE_LIST.map((entry) => [entry.code, renderOnce(() => codePage(entry, names, exampleOf(entry)))]),
  )
  app.get<{ Params: { codigo: string } }>('/problemas/codigos/:codigo', PUBLIC, ({ params: { codigo } }, reply) => {
    const code = codes.get(codigo)
    return code ? page(docsHeaders(reply, names), code()) : page(allowScript(reply), unknownProblemPage(codigo), 404)
  })
}

/** Every code, for programs. */
const codesEntry = (publicUrl: string) => ({
  _entries: CODE_LIST.map(({ code, problem, meaning, remedy, status = PROBLEMS[problem].status }) => ({
    Codigo: code,
    Status: status,
    Type: `${publicUrl}/problemas/${problem}`,
    Significado: meaning,
    Remedio: remedy,
  })),
})

const TEXTS = byLocale((locale) => {
  const read = (name: string) => readMarkdown(new URL(`./${locale}/${name}.md`, import.meta.url))
  return {
    contents: read('inicio'),
    problems: Object.fromEntries(Object.keys(PROBLEMS).map((name) => [name, read(name)])),
  }
})

const examples = (signaturePrefix: string): Record<ProblemName, [problem: Problem, instance: string]> => ({
  'solicitud-invalida': [
    invalid({
      AdminMail: [fault('formato', 'Debe ser una dirección de correo.')],
      Telefono: [fault('muy-corto', 'Debe tener al menos 8 caracteres.')],
    }),
    '/v3/agencias',
  ],
  'metodo-no-permitido': [methodNotAllowed('GET, HEAD, OPTIONS'), '/v3/colores'],
  'no-aceptable': [notAcceptable(['application/json', 'text/json']), '/v3'],
  'demasiado-grande': [tooLarge(MAX_BODY_BYTES), '/v3/agencias'],
  'tipo-no-admitido': [unsupportedType(), '/v3/agencias'],
  'sin-autorizacion': [unauthorized('fecha-fuera-de-rango', signatureNames(signaturePrefix)), '/v3/colores'],
  prohibido: [
    forbidden(message('problema.notYours'), 'sin-asociacion'),
    '/v3/agencias/ventas@agencia.example/desasociar',
  ],
  'demasiadas-solicitudes': [
    tooManyRequests(2, message('problema.requestQuotaApp'), 'limite-de-solicitudes'),
    '/v3/colores',
  ],
  'no-existe': [notFound(message('problema.catalogue.colores')), '/v3/colores/999'],
  conflicto: [
    conflict({ _: [fault('ya-configurado', 'Ya está configurado.')] }, message('problema.topicConfigured')),
    '/v3/appnotificaciones/consulta.recibida',
  ],
  'version-distinta': [changedSinceRead(), '/v3/agencias/ventas@agencia.example'],
  'error-interno': [internalError('6f1c7a52-1d0f-4a57-9a8e-0b1d5d1f6c1e'), '/v3/colores'],
  'no-disponible': [unavailable(), '/v3/agencias'],
})

function contentsPage() {
  const { title, lead, sections } = TEXTS[currentLocale()].contents
  return (
    <DocsLayout
      title={title}
      section="/problemas"
      description={t('docs.problems.description')}
      aside={<ProblemsAside />}
    >
      <header class="lead">
        <h1>{title}</h1>
        {renderMarkdown(lead, { values: {} })}
      </header>
      <ProblemList />
      {sections.map(({ title, tokens }) => (
        <Section title={title}>{renderMarkdown(tokens, { values: {} })}</Section>
      ))}
      <Section id="codigos" title={t('docs.problems.all')}>
        {(Object.keys(PROBLEMS) as ProblemName[]).map((name) => (
          <>
            <h3>{PROBLEMS[name].title}</h3>
            <CodeList name={name} />
          </>
        ))}
      </Section>
    </DocsLayout>
  )
}

function unknownProblemPage(name: string) {
  return (
    <DocsLayout title={t('docs.problems.unknown')} section="/problemas" aside={<ProblemsAside />}>
      <header class="lead">
        <h1>{t('docs.problems.unknown')}</h1>
        <p>{rich('docs.problems.unknownText', { name: <code>{name}</code> })}</p>
      </header>
      <ProblemList />
    </DocsLayout>
  )
}

export const ProblemList = () => (
  <ul class="problem-list">
    {Object.entries(PROBLEMS).map(([name, { status, title }]) => (
      <li key={name}>
        <Status code={status} />
        <a href={publicHref(`/problemas/${name}`)}>{title}</a>
        <code>{name}</code>
      </li>
    ))}
  </ul>
)

function problemPage(name: ProblemName, { publicUrl, signaturePrefix }: Names) {
  const { status, title } = PROBLEMS[name]
  const { lead = [], sections: [why, remedy] = [] } = TEXTS[currentLocale()].problems[name] ?? {}
  const [example, instance] = examples(signaturePrefix)[name]
  const scope = { values: { signaturePrefix } }
  return (
    <DocsLayout title={title} section="/problemas" aside={<ProblemsAside open={name} />}>
      <header class="lead">
        <p class="overline">
          <a href={publicHref('/problemas')}>{t('comun.shell.problems')}</a> <span aria-hidden="true">/</span>{' '}
          <code>{name}</code>
        </p>
        <h1>{title}</h1>
        <p class="facts">
          <span>
            <Status code={status} /> {STATUS_CODES[status]}
          </span>
        </p>
        {renderMarkdown(lead, scope)}
      </header>
      <div class="columns">
        {[why, remedy].map((section) => (
          <Section title={section?.title ?? ''}>{renderMarkdown(section?.tokens ?? [], scope)}</Section>
        ))}
      </div>
      <Section title={t('docs.problems.codes')}>
        <CodeList name={name} />
      </Section>
      <Section title={t('docs.code.example')}>
        <ProblemSample problem={example} instance={instance} publicUrl={publicUrl} />
      </Section>
    </DocsLayout>
  )
}

/** The codes of a problem: what each means, and what to do. */
const CodeList = ({ name }: { name: ProblemName }) => (
  <dl class="codes">
    {codesOf(name).map(({ code, meaning, remedy, status }) => (
      <div key={code} id={code}>
        <dt>
          <a href={publicHref(codeHref(code))}>
            <code>{code}</code>
          </a>{' '}
          {status && <Status code={status} />}
        </dt>
        <dd>{translate(meaning)}</dd>
        <dd>{translate(remedy)}</dd>
      </div>
    ))}
  </dl>
)
