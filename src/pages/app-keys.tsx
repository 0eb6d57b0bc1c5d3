import type { ComponentChild } from 'preact'
import type { App } from '../apps/app.ts'
import {
  type ListedSecret,
  repeatedSecret,
  revokeSecret,
  rotateSecretOnce,
  SECRET_NAME_CHARACTERS,
} from '../apps/secrets.ts'
import { conflict, notFound } from '../http/problems.ts'
import { message, t } from '../i18n/messages.tsx'
import type { Transactional } from '../store/db.ts'
import { Field } from './fields.tsx'
import { textField } from './form.ts'
import { Moment, type TimeContext } from './format.tsx'
import type { PageDeps, SignedInContext } from './signed-in.ts'
import { type Column, momentColumn } from './table.tsx'

export const noSuchKey = () => notFound(message('comun.keys.noSuch'))
export const lastKey = () => conflict({}, message('comun.keys.last'))

export const liveOf = (secrets: ListedSecret[]) => secrets.filter(({ revocado }) => revocado === null)

/** The question before a secret is revoked; `user` is what may still use it. */
export const revocation = (key: string, user: string) => ({
  title: t('comun.keys.revoke.title', { key }),
  button: t('comun.keys.revoke.button'),
  consequences: [t('comun.keys.revoke.refused'), t('comun.keys.revoke.user', { user }), t('comun.keys.revoke.final')],
})

export async function revokeKey(store: Transactional, appId: number, id: number): Promise<void> {
  const outcome = await revokeSecret(store, appId, id)
  if (outcome === 'gone') throw noSuchKey()
  if (outcome === 'last') throw lastKey()
}

interface NewKey {
  app: Pick<App, 'id' | 'appKey'>
  form: URLSearchParams
  /** Undefined where the form has no such choice. */
  revokeOthers?: boolean
}

/** Makes the key of a form. A double click makes one, and both answers show it; the same form later is refused. */
export async function newKey(
  ctx: Pick<SignedInContext, 'change'>,
  { store, seal }: Pick<PageDeps, 'store' | 'seal'>,
  { app, form, revokeOthers }: NewKey,
): Promise<{ secret: string; hasFormer: boolean }> {
  const newest = newestKey(form)
  const wanted = { nombre: keyName(form), revokeOthers: revokeOthers ?? false }
  const audited = {
    act: 'app.clave-nueva',
    subject: app.appKey,
    ...(revokeOthers !== undefined && { detail: { revocaLasAnteriores: revokeOthers } }),
  }
  const added = await ctx.change<string | undefined>(
    (created) => (created ? audited : undefined),
    (tx) => rotateSecretOnce(tx, seal, app.id, newest, wanted),
  )
  const secret = added ?? (newest < 0 ? undefined : await repeatedSecret(store, seal, app.id, newest, wanted))
  if (secret === undefined) throw conflict({}, message('comun.keys.rotated'))
  return { secret, hasFormer: newest > 0 }
}

/** As it was typed; null if nothing was. */
export const keyName = (form: URLSearchParams): string | null =>
  textField(form, 'Nombre').slice(0, SECRET_NAME_CHARACTERS) || null

/** The newest key when the form was made, 0 for none; -1, which no key has, where the field makes no sense. */
function newestKey(form: URLSearchParams): number {
  const text = textField(form, 'vigente')
  return /^\d{1,9}$/.test(text) ? Number(text) : -1
}

const NAME_INPUT = { maxlength: SECRET_NAME_CHARACTERS, autocomplete: 'off' } as const

export const KeyNameField = () => (
  <Field name="Nombre" label={t('comun.keys.name')} hint={t('comun.keys.nameHint')} optional more={NAME_INPUT} />
)

/** A key's name where the page has other fields of that name. */
export const KeyNameInput = ({ id, nombre }: Pick<ListedSecret, 'id' | 'nombre'>) => (
  <>
    <label for={`nombre-${id}`}>{t('comun.keys.name')}</label>
    <input id={`nombre-${id}`} name="Nombre" value={nombre ?? ''} {...NAME_INPUT} />
  </>
)

/** The columns of a table of secrets: `name` says which one it is, `act` what can be done with one that works, if anything. */
export const keyColumns = <Row extends ListedSecret>(
  when: TimeContext,
  name: (row: Row) => ComponentChild,
  act: ((row: Row) => ComponentChild) | false,
): Column<Row>[] => [
  {
    head: t('comun.keys.head.key'),
    cell: (row) => (
      <span class="named">
        {row.nombre && <strong>{row.nombre}</strong>} {name(row)}
      </span>
    ),
  },
  momentColumn(t('comun.keys.head.created'), when, ({ creado }) => creado),
  {
    head: t('comun.keys.head.used'),
    cell: ({ usado }) =>
      usado ? <Moment at={usado} when={when} short /> : <span class="hint">{t('comun.keys.unused')}</span>,
  },
  {
    head: t('comun.keys.head.state'),
    cell: ({ revocado }) =>
      revocado ? (
        <span>
          <span class="badge">{t('comun.keys.revoked')}</span> <Moment at={revocado} when={when} short />
        </span>
      ) : (
        <span class="badge ok">{t('comun.keys.active')}</span>
      ),
  },
  ...(act
    ? [{ head: t('comun.keys.head.act'), acts: true, cell: (row: Row) => row.revocado === null && act(row) }]
    : []),
]
