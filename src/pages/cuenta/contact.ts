import type { Errors } from '../../http/problems.ts'
import { t, textOrElse } from '../../i18n/messages.tsx'

/** A WhatsApp number without spaces and punctuation. */
export const plainNumber = (written: string): string => written.replace(/[\s().-]/g, '').replace(/^00/, '+')

/** The address of a site, to which people seldom add https://. */
export const fullAddress = (written: string): string =>
  written === '' || /^[a-z]+:\/\//i.test(written) ? written : `https://${written}`

/** The errors of the schema, for people who fill in a form. */
export const contactMessages = (errors: Errors, values: Record<string, string>): Errors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, messages]) => {
      if (name === 'Nombre' && !values.Nombre) return [name, [t('cuenta.contact.noName')]]
      const text = textOrElse(`cuenta.contact.${name}`, undefined)
      return [name, text ? [text] : messages]
    }),
  )
