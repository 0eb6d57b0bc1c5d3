import { t } from '../../../i18n/messages.tsx'
import { inSpanish } from '../../../i18n/stored.ts'
import { ChangedSinceSeen, type ModerationTarget } from '../../../resources/publicaciones/moderate.ts'
import type { ListedPublicacion } from '../../../resources/publicaciones/staff.ts'
import { Form, Hidden, Tick } from '../../fields.tsx'
import { Fields, type Refused } from '../../form-fields.tsx'
import { RAZONES } from '../../labels.tsx'
import { PostButton, Section } from '../../parts.tsx'
import { consolaPublicacionHref } from './list.tsx'

/** The page says which version of the listing it shows: the partner may change it while somebody judges it. */
const SEEN = 'Visto'
const seenVersion = ({ modificada }: ListedPublicacion) => ({ [SEEN]: modificada.toISOString() })

export function moderationTarget({ id, modo }: ListedPublicacion, form: URLSearchParams): ModerationTarget {
  const seen = new Date(form.get(SEEN) ?? '')
  return { aviso: id, modo, by: 'mercado', seen: Number.isNaN(seen.getTime()) ? undefined : seen }
}

/** Undefined if the listing changed after the page was made, also by a colleague's decision. */
export const unlessChanged = <T,>(decision: Promise<T>): Promise<T | undefined> =>
  decision.catch((error) => {
    if (error instanceof ChangedSinceSeen) return undefined
    throw error
  })

export const MAX_REASON = 500
export const GO_ON = 'Seguir'
export const reasonFields = () => ({
  Razon: {
    label: t('consola.listing.reason'),
    choices: RAZONES.map((key) => [inSpanish(key), t(key)] as const),
    placeholder: t('consola.listing.reason.other'),
    optional: true,
  },
  Motivo: {
    label: t('consola.listing.motivo'),
    hint: t('consola.listing.motivo.hint'),
    max: MAX_REASON,
    rows: 3,
  },
})

export interface ModerationProps {
  publicacion: ListedPublicacion
  /** The listing to look at after this one. */
  next: number | undefined
  refused: Refused | undefined
}

export function Moderation({ publicacion, next, refused }: ModerationProps) {
  if (publicacion.suspensiones.includes('mercado'))
    return (
      <Section title={t('consola.listing.moderation')}>
        <p>{t('consola.listing.reactivate.text')}</p>
        <PostButton action={`${consolaPublicacionHref(publicacion)}/reactivar`} hidden={seenVersion(publicacion)}>
          {t('consola.listing.reactivate')}
        </PostButton>
      </Section>
    )
  return (
    <Section title={t('consola.listing.moderation')}>
      <Form
        action={`${consolaPublicacionHref(publicacion)}/suspender`}
        button={t('consola.listing.suspend')}
        buttonClass="danger"
        {...refused}
      >
        <Hidden values={seenVersion(publicacion)} />
        <p>{t('consola.listing.suspend.text')}</p>
        <Fields fields={reasonFields()} />
        {next !== undefined && (
          <Tick name={GO_ON} label={t('consola.listing.goOn')} hint={t('consola.listing.goOn.hint')} checked />
        )}
      </Form>
    </Section>
  )
}
