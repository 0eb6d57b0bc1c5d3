import { t } from '../i18n/messages.tsx'
import type { Transactional } from '../store/db.ts'
import { textField } from './form.ts'
import type { Refused } from './form-fields.tsx'
import { contentHash } from './page.ts'
import type { AuditedAct, SignedInContext } from './signed-in.ts'

type Values<Name extends string> = Record<Name, string>

/** The version that the page of a form showed; it stays the same while the form is refused for other reasons. */
export const versionIn = (form: URLSearchParams): string => textField(form, 'Version')

/** The stored value of each field that differs from the form. */
export const changedValues = <Name extends string>(
  typed: Values<Name>,
  stored: Values<Name>,
): Partial<Values<Name>> => {
  const names = Object.keys(typed) as Name[]
  return Object.fromEntries(
    names.filter((name) => typed[name] !== stored[name]).map((name) => [name, stored[name]]),
  ) as Partial<Values<Name>>
}

/** What somebody else changed, with what was typed; a form with this version overwrites it (docs/decisions/pages.md). */
export const overtaken = <Name extends string>(given: Values<Name>, stored: Values<Name>): Refused<Name> => ({
  given,
  errors: { _: [t('comun.form.overtaken')] },
  now: changedValues(given, stored),
  version: contentHash(stored),
})

/** A form as it is stored, with its version, or as it was refused. */
export const formState = <Name extends string>(
  stored: Values<Name>,
  refused: Partial<Refused<Name>> | undefined,
): Pick<Refused<Name>, 'given'> & Partial<Refused<Name>> => ({
  given: stored,
  version: contentHash(stored),
  ...refused,
})

export const refusedStatus = ({ now }: Pick<Refused, 'now'>): 400 | 409 => (now ? 409 : 400)

interface FormChange<Name extends string, Saved> {
  form: URLSearchParams
  /** The values of the form as they are stored and shown. */
  given: Values<Name>
  /** The stored values, locked. The page of the form has `contentHash` of them as its version. */
  stored: (tx: Transactional) => Promise<Values<Name>>
  save: (tx: Transactional) => Promise<Saved>
}

/** Saves a form and writes it to the audit log. Returns the form to show again if somebody else changed the values since its page. */
export async function saveUnlessOvertaken<Name extends string, Saved>(
  ctx: Pick<SignedInContext, 'change'>,
  audited: AuditedAct | ((saved: Saved) => AuditedAct),
  { form, given, stored, save }: FormChange<Name, Saved>,
): Promise<Refused<Name> | undefined> {
  const version = versionIn(form)
  const result = await ctx.change<{ saved: Saved } | { refused: Refused<Name> }>(
    (made) => {
      if ('refused' in made) return undefined
      return typeof audited === 'function' ? audited(made.saved) : audited
    },
    async (tx) => {
      const current = await stored(tx)
      const refused = overtaken(given, current)
      const isSame = Object.keys(refused.now ?? {}).length === 0 // sent twice
      if (version && version !== refused.version && !isSame) return { refused }
      return { saved: await save(tx) }
    },
  )
  return 'refused' in result ? result.refused : undefined
}
