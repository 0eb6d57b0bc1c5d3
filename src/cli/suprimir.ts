import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { isMailAddress } from '../accounts/account.ts'
import { toTimestamp } from '../http/dates.ts'
import { countOf, countRelated, type Person, type Receipt, suppress } from '../resources/consultas/suppress.ts'
import type { Db } from '../store/db.ts'
import { type Command, type Io, parseOptions, printJson, readModo, UsageError } from './command.ts'
import { withStore } from './with-store.ts'

const USAGE = `Usage: rodado suprimir [--email MAIL] [--telefono NUMBER] [--modo produccion|prueba] [--si] [--json]

Erases a person's data on request from inquiries, events, webhook responses and emails. The inquiries stay without the
person; their apps are notified (consulta.suprimida). It cannot be undone. Finds inquiries by email, by telephone (all of
its digits), or by either if both are given; in both modes unless --modo is given.

Asks for confirmation at a terminal, but not with --json.

  --si, --yes   do not ask for confirmation`

/** Erases a person's data (docs/decisions.md). */
export const command: Command = {
  usage: USAGE,

  async run(argv, io) {
    const values = parseOptions(argv, {
      email: { type: 'string' },
      telefono: { type: 'string' },
      modo: { type: 'string' },
      si: { type: 'boolean' },
      yes: { type: 'boolean' },
    })
    const person = readPerson(values)
    const { config } = io
    return withStore(config, async ({ store, seal }) => {
      const mustConfirm = isTerminal(io.input) && !values.si && !values.yes && !values.json
      if (mustConfirm && !(await confirms(io, store, person))) return 1
      const deps = { store, seal, clock: () => new Date(), config }
      const receipt = shown(await suppress(deps, person, { accountId: null, via: 'comando' }), config.timeZone)
      if (values.json) printJson(io.out, receipt)
      else io.out.write(describe(receipt))
      return 0
    })
  },
}

interface Given {
  email?: string | undefined
  telefono?: string | undefined
  modo?: string | undefined
}

function readPerson({ email, telefono, modo }: Given): Person {
  if (!email?.trim() && !telefono?.trim()) throw new UsageError('say who: --email MAIL, --telefono NUMBER or both.')
  if (email !== undefined && !isMailAddress(email.trim().toLowerCase()))
    throw new UsageError('--email must be a mail address.')
  if (telefono !== undefined && !/\d/.test(telefono)) throw new UsageError('--telefono must be a telephone number.')
  return { email, telefono, modo: modo === undefined ? undefined : readModo(modo) }
}

const inquiries = (count: number): string => `${count} ${count === 1 ? 'inquiry' : 'inquiries'}`

/** Without a terminal nobody can answer, and reading an open pipe would never end. */
const isTerminal = (input: NodeJS.ReadableStream & { isTTY?: boolean }): boolean => input.isTTY === true

/** Prompts on stderr: stdout is for programs. */
async function confirms({ input, err }: Io, db: Db, person: Person): Promise<boolean> {
  const more = await countRelated(db, person)
  if (more > 0) err.write(`${related(more)}\n`)
  err.write(`${inquiries(await countOf(db, person))} of that person. Erase the person for good? [s/N] `)
  const lines = createInterface({ input })
  const [answer = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  const agreed = /^(s|si|sí|y|yes)$/i.test(String(answer).trim())
  if (!agreed) err.write('Nothing was erased. To skip this question, add --si.\n')
  return agreed
}

const shown = ({ id, at, before, ...reached }: Receipt, timeZone: string) => ({
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
