import type { Visitor } from '../tests/support/visitor.ts'

/** A form of a page. */
export interface Form {
  action: string
  fields: [string, string][]
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&').replaceAll('&quot;', '"')

/** Values for empty fields. */
const WRITTEN: Record<string, string> = {
  Email: 'lucia@correo.test',
  AdminMail: 'nueva@agencia.test',
  Clave: 'una frase larga',
  Nombre: 'Automotores del Sur',
  Telefono: '011 4555-1234',
  Callback: 'https://crm.example/avisos',
  Motivo: 'Repetida',
}

/** The POST forms of a page, with the values they would send. */
export function formsOf(html: string, path: string): Form[] {
  return [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)]
    .map(([form]) => form)
    .filter((form) => /^<form[^>]*method="post"/i.test(form))
    .map((form) => {
      const open = /^<form[^>]*>/.exec(form)?.[0] ?? ''
      const tags = [...form.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/g)].map(([tag]) => tag)
      const named = tags.flatMap((tag): [string, string][] => {
        const name = attribute(tag, 'name')
        return name ? [[name, attribute(tag, 'value') || WRITTEN[name] || '1']] : []
      })
      return { action: attribute(open, 'action') ?? path, fields: named }
    })
}

/** Signing out and closing sessions. */
const LEAVING = /^\/(salir|cuenta\/sesiones)/
/** Removes a record or a person's access. */
const ENDING =
  /\/(terminar|quitar|eliminar|deshabilitar|revocar|retirar|reiniciar|suspender|suprimir|ocultar|administrador|clave)$/

/** True if the form ends something that later requests need. */
export const isDestructive = ({ action }: Form): boolean => ENDING.test(action.split('?', 1)[0] ?? '')

/** Every form on those pages, in order. */
export async function formsFor(visitor: Visitor, paths: string[]): Promise<Form[]> {
  const forms = new Map<string, Form>()
  for (const path of paths) {
    const { text } = await visitor.get(path)
    for (const form of formsOf(text, path)) forms.set(`${form.action} ${form.fields.map(([name]) => name)}`, form)
  }
  return [...forms.values()].filter(({ action }) => !LEAVING.test(action))
}
