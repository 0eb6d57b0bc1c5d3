import { FLAG, isTerminal, TEXT, UsageError } from '@rodado/cli'
import { isMailAddress } from '../accounts/account.ts'
import type { Country } from '../config.ts'
import { toTimestamp } from '../http/dates.ts'
import { hasTelephoneDigits } from '../phone.ts'
import {
  countOf,
  countRelated,
  type ErasureRecord,
  erasePerson,
  type Person,
} from '../resources/consultas/erase-person.ts'
import type { Db } from '../store/db.ts'
import { defineCommand, type Io, readLine, readModo } from './command.ts'
import { withStore } from './with-store.ts'

const OPTIONS = { email: TEXT, telefono: TEXT, modo: TEXT, si: FLAG, yes: FLAG }

/** Erases a person's data (docs/decisions/reading-inquiries.md). */
export const run = defineCommand('', OPTIONS, async ({ email, telefono, modo, si, yes, json }, io) => {
  if (!email?.trim() && !telefono?.trim()) throw new UsageError('say who: --email MAIL, --telefono NUMBER or both.')
  if (email !== undefined && !isMailAddress(email.trim().toLowerCase()))
    throw new UsageError('--email must be a mail address.')
  if (telefono !== undefined && !hasTelephoneDigits(telefono))
    throw new UsageError('--telefono must be the whole telephone number, as the person gave it.')
  const person: Person = { email, telefono, modo: modo === undefined ? undefined : readModo(modo) }

  const { config, input } = io
  return withStore(config, async ({ store, seal }) => {
    const mustConfirm = isTerminal(input) && !si && !yes && !json
    if (mustConfirm && !(await confirms(io, store, person, config.country))) return 1
    const deps = { store, seal, clock: () => new Date(), config }
    const receipt = shown(await erasePerson(deps, person, { accountId: null, via: 'comando' }), config.timeZone)
    return { json: receipt, text: describe(receipt) }
  })
})

const inquiries = (count: number): string => `${count} ${count === 1 ? 'inquiry' : 'inquiries'}`

/** Prompts on stderr: stdout is for programs. */
async function confirms(io: Io, db: Db, person: Person, country: Country): Promise<boolean> {
  const more = await countRelated(db, person, country)
  if (more > 0) io.err.write(`${related(more)}\n`)
  io.err.write(`${inquiries(await countOf(db, person, country))} of that person. Erase the person for good? [s/N] `)
  const agreed = /^(s|si|sí|y|yes)$/i.test((await readLine(io.input)).trim())
  if (!agreed) io.err.write('Nothing was erased. To skip this question, add --si.\n')
  return agreed
}

const shown = ({ id, at, before, ...reached }: ErasureRecord, timeZone: string) => ({
  Id: id,
  Momento: toTimestamp(at, timeZone),
  Consultas: reached.consultas,
  Eventos: reached.eventos,
  Respuestas: reached.respuestas,
  Correos: reached.correos,
  Apps: reached.apps,
  Relacionadas: reached.relacionadas,
  Antes: before.map((former) => ({ Id: former.id, Momento: toTimestamp(former.at, timeZone) })),
})

function describe({ Id, Momento, Antes, ...reached }: ReturnType<typeof shown>): string {
  const rows = [
    `${reached.Consultas > 0 ? 'Erased' : 'Nothing of that person was found'}. Receipt ${Id}, ${Momento}`,
    `  inquiries ${reached.Consultas}, events ${reached.Eventos}, webhook responses ${reached.Respuestas}, emails ${reached.Correos}`,
    `  apps notified ${reached.Apps}`,
    ...(reached.Relacionadas > 0 ? [`  ${related(reached.Relacionadas)}`] : []),
    ...Antes.map((former) => `  erased before: ${former.Id}, ${former.Momento}`),
  ]
  return `${rows.join('\n')}\n`
}

/** Other people's inquiries may share a telephone or email, so they are kept. */
const related = (count: number): string =>
  `${inquiries(count)} more with a telephone or mail that stood in these ${count === 1 ? 'stays' : 'stay'}: ask the person, and name both with --email and --telefono.`
