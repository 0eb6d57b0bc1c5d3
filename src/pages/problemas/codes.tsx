import { STATUS_CODES } from 'node:http'
import { CODE_LIST, type CodeOf, type FaultCode } from '../../http/codes.ts'
import type { Schema } from '../../http/openapi/document.ts'
import type { ProblemExtensions } from '../../http/problem-extensions.ts'
import { fault, invalid, PROBLEM_TYPE, PROBLEMS, Problem, type ProblemName, problemBody } from '../../http/problems.ts'
import { Candidato } from '../../http/schemas.ts'
import { currentLocale } from '../../i18n/locale.ts'
import { rich, t } from '../../i18n/messages.tsx'
import { Aside, LinkList, MoreDocs } from '../docs/contents.tsx'
import type { Names } from '../docs/examples.ts'
import { DocsLayout } from '../docs/layout.tsx'
import { sampleOf } from '../docs/sample.ts'
import { translate } from '../docs/translate.ts'
import { Code, Json, Section, Status } from '../parts.tsx'
import { publicHref } from '../public-href.ts'

type CodeEntry = (typeof CODE_LIST)[number]

export const codeHref = (code: string): string => `/problemas/codigos/${code}`

/** The member that the example names; those of the whole request are left out. */
const MEMBERS: Partial<Record<CodeOf<'solicitud-invalida'>, string>> = {
  requerido: 'AdminMail',
  vacio: 'Nombre',
  desconocido: 'Telefno',
  repetido: 'estado',
  tipo: 'Kilometraje',
  formato: 'AdminMail',
  opcion: 'Estado',
  'muy-corto': 'Telefono',
  'muy-largo': 'Mensaje',
  'muy-chico': 'VersionYear',
  'muy-grande': 'Kilometraje',
  'pocos-elementos': 'Fotos',
  'demasiados-elementos': 'Fotos',
  incompatible: 'Horarios.Lunes',
  'fuera-de-rango': 'Hasta',
  inexistente: 'AdminMail',
  ambiguo: 'ExternalId',
  'sin-coincidencia': 'Ciudad',
  'no-colabora': 'OperadorResponsable',
  'cursor-invalido': 'cursor',
  'limite-de-correos': 'AdminMail',
  'direccion-bloqueada': 'AdminMail',
  'sin-lugar': 'Activa',
  'destino-no-permitido': 'Callback',
  'encabezado-reservado': 'Headers.Host',
}

const LISTINGS = '/v3/publicaciones/ventas@agencia.example'
const WEBHOOK = '/v3/appnotificaciones/consulta.recibida'

/** Where a member of `MEMBERS` is sent; the others, to /v3/agencias. */
const INSTANCES: Record<string, string> = {
  Kilometraje: LISTINGS,
  VersionYear: LISTINGS,
  Fotos: LISTINGS,
  ExternalId: LISTINGS,
  Ciudad: LISTINGS,
  OperadorResponsable: LISTINGS,
  Activa: LISTINGS,
  estado: LISTINGS,
  cursor: '/v3/eventos',
  Callback: WEBHOOK,
  'Headers.Host': WEBHOOK,
}

const candidate = sampleOf(Candidato as Schema, {}, LISTINGS) as Candidato

/** What the remedy speaks of. */
const EXTENSIONS: Partial<Record<string, ProblemExtensions>> = {
  'sin-coincidencia': { Candidatos: [{ ...candidate, Campo: 'Ciudad' }] },
}

interface ProblemsAsideProps {
  /** The problem of the page, whose codes are listed too. */
  open?: ProblemName
  /** The code of the page. */
  code?: string
}

/** The menu of these pages: every problem, and the codes of the open one. */
export const ProblemsAside = ({ open, code: current }: ProblemsAsideProps) => (
  <Aside>
    <nav class="contents" aria-label={t('docs.more.problems')}>
      <a class="chapter" href={publicHref('/problemas')} aria-current={open ? undefined : 'page'}>
        {t('docs.more.problems')}
      </a>
      <ul>
        {(Object.keys(PROBLEMS) as ProblemName[]).map((name) => (
          <li key={name}>
            <a href={publicHref(`/problemas/${name}`)} aria-current={name === open && !current ? 'page' : undefined}>
              <span class="status-code">{PROBLEMS[name].status}</span>
              <span>{PROBLEMS[name].title}</span>
            </a>
            {name === open && (
              <LinkList
                links={codesOf(name).map(({ code }) => [current ? codeHref(code) : `#${code}`, code])}
                current={current && codeHref(current)}
              />
            )}
          </li>
        ))}
      </ul>
      <MoreDocs of="/problemas" />
    </nav>
  </Aside>
)

export const codesOf = (name: ProblemName): CodeEntry[] => CODE_LIST.filter(({ problem }) => problem === name)

/** A page for each code of `contract/codes.tsv`. */
export function codePage(entry: CodeEntry, { publicUrl }: Names, [ofKind, instance]: [Problem, string]) {
  const { code, problem: name, meaning, remedy } = entry
  const { title } = PROBLEMS[name]
  const { status = PROBLEMS[name].status } = entry
  const member = MEMBERS[code as CodeOf<'solicitud-invalida'>]
  const siblings = codesOf(name)
  return (
    <DocsLayout
      title={t('docs.code.title', { code })}
      section="/problemas"
      description={translate(meaning)}
      aside={<ProblemsAside open={name} code={code} />}
    >
      <header class="lead">
        <p class="overline">
          <a href={publicHref('/problemas')}>{t('comun.shell.problems')}</a> <span aria-hidden="true">/</span>{' '}
          <a href={publicHref(`/problemas/${name}`)}>{title}</a>
        </p>
        <h1>
          <code>{code}</code>
        </h1>
        <p class="facts">
          <span>
            <Status code={status} /> {STATUS_CODES[status]}
          </span>
        </p>
        <p>{translate(meaning)}</p>
      </header>
      <div class="columns">
        <Section title={t('docs.code.remedy')}>
          <p>{translate(remedy)}</p>
        </Section>
        <Section title={t('docs.code.where')}>
          <p>{status === 400 ? rich('docs.code.inCodes') : rich('docs.code.inCode')}</p>
        </Section>
      </div>
      <Section title={t('docs.code.example')}>
        <ProblemSample
          problem={withCode(ofKind, entry)}
          status={status}
          instance={(member && INSTANCES[member]) ?? instance}
          publicUrl={publicUrl}
        />
      </Section>
      {siblings.length > 1 && (
        <Section title={t('docs.code.siblings')}>
          <ul class="code-links">
            {siblings
              .filter((sibling) => sibling !== entry)
              .map((sibling) => (
                <li key={sibling.code}>
                  <a href={publicHref(codeHref(sibling.code))}>
                    <code>{sibling.code}</code>
                  </a>
                </li>
              ))}
          </ul>
        </Section>
      )}
    </DocsLayout>
  )
}

/** The example of the kind of problem, with another code. */
function withCode(example: Problem, { code, problem: name, meaning }: CodeEntry): Problem {
  const { code: own, faults, headers, extensions } = example
  const faultsOf = (member: string) => ({ [member]: [fault(code as FaultCode, meaning)] })
  if (name === 'solicitud-invalida')
    return invalid(faultsOf(MEMBERS[code as CodeOf<'solicitud-invalida'>] ?? '_'), EXTENSIONS[code])
  if (own === code) return example
  return new Problem(
    name,
    translate(meaning),
    faults ? { faults: faultsOf('_'), headers } : { code, headers, extensions },
  )
}

interface ProblemSampleProps {
  problem: Problem
  status?: number
  instance: string
  publicUrl: string
}

/** A problem as it is received. */
export function ProblemSample({ problem, status = problem.status, instance, publicUrl }: ProblemSampleProps) {
  const headers = Object.entries({ 'content-type': PROBLEM_TYPE, ...problem.headers })
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return (
    <Code label={t('docs.code.response')}>
      {[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\n')}
      <Json value={problemBody(problem, publicUrl, instance, { status, locale: currentLocale() })} />
    </Code>
  )
}
