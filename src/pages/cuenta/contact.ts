import type { Errors } from '../../http/problems.ts'

/** A WhatsApp number without spaces and punctuation. */
export const plainNumber = (written: string): string => written.replace(/[\s().-]/g, '').replace(/^00/, '+')

/** The address of a site, to which people seldom add https://. */
export const fullAddress = (written: string): string =>
  written === '' || /^[a-z]+:\/\//i.test(written) ? written : `https://${written}`

/** The errors of the schema, for people who fill in a form. */
const MESSAGES: Record<string, string> = {
  Telefono: 'Escriba el teléfono con su código de área: de 8 a 20 cifras y signos.',
  WhatsApp: 'Escríbalo con + y el código del país, por ejemplo +54 9 11 4555-1234.',
  SitioWeb: 'No parece la dirección de un sitio; por ejemplo, www.suagencia.com.ar.',
  Email: 'No parece un correo; por ejemplo, ventas@suagencia.com.ar.',
}

export const contactMessages = (errors: Errors, values: Record<string, string>): Errors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, messages]) => {
      if (name === 'Nombre' && !values.Nombre) return [name, ['Falta el nombre.']]
      return [name, MESSAGES[name] ? [MESSAGES[name]] : messages]
    }),
  )
