import { isMailAddress } from '../../../accounts/account.ts'
import type { Errors } from '../../../http/problems.ts'
import { formRoute, line } from '../../form.ts'
import { MODO_NAMES } from '../modo.tsx'
import type { GivenApp } from './new-page.tsx'

const MAX_NAME = 120
const MAX_MAIL = 120
/** What is said of an app, and the AppKey that it is to have. */
export const APP_FORM = formRoute(MAX_NAME + MAX_MAIL + 50)
const APP_KEY = /^[0-9a-f]{32}$/

/** What was said of an app. */
export const givenIn = (form: URLSearchParams): GivenApp => ({
  nombre: line(form, 'Nombre'),
  contacto: line(form, 'Contacto'),
  modo: line(form, 'Modo'),
})

/** What is wrong with how an app is called, and with whom to write to. */
export const nameFaults = ({ nombre, contacto }: Omit<GivenApp, 'modo'>): Errors => ({
  ...(nombre === '' && { Nombre: ['Falta el nombre.'] }),
  ...(nombre.length > MAX_NAME && { Nombre: [`Puede tener hasta ${MAX_NAME} caracteres.`] }),
  ...(contacto !== '' &&
    !isMailAddress(contacto.toLowerCase(), MAX_MAIL) && { Contacto: ['No es una dirección de correo.'] }),
})

/** What is wrong with an app to be made; its AppKey comes with the form, so that a form makes one app however often it is sent. */
export const appFaults = (given: GivenApp & { appKey: string }): Errors => ({
  ...nameFaults(given),
  ...(!APP_KEY.test(given.appKey) && { _: ['El formulario llegó incompleto: envíelo otra vez.'] }),
  ...(!MODO_NAMES.some((modo) => modo === given.modo) && { Modo: ['Elija producción o prueba.'] }),
})
