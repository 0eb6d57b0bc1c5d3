import type { ComponentChildren } from 'preact'
import type { RefusalCode } from '../../auth/unauthorized.ts'

interface Code {
  meaning: ComponentChildren
  remedy: ComponentChildren
}

/** What each `Extensions.Codigo` of a 401 means; one without its text does not compile. */
export const codes = (prefix: string): Record<RefusalCode, Code> => ({
  'sin-credenciales': {
    meaning: (
      <>
        La solicitud no trae <code>Authorization</code>, o trae un esquema que no es <code>{prefix}-HMAC</code> ni{' '}
        <code>Bearer</code>.
      </>
    ),
    remedy: <>Firme la solicitud o agregue un token. Revise que un proxy o una redirección no quite el encabezado.</>,
  },
  'firma-invalida': {
    meaning: <>La app no existe o está deshabilitada, o la firma no corresponde a lo que llegó.</>,
    remedy: (
      <>
        Compruebe, en este orden: que la dirección firmada sea la enviada, con su consulta y su codificación; que las
        líneas se unan con <code>\n</code>, sin una al final; que falten las líneas de encabezados que no se envían,
        pero estén vacías las de <code>Digest</code> y <code>Date</code>; que <code>AppSecret</code> se use como texto,
        sin decodificar.
      </>
    ),
  },
  'fecha-fuera-de-rango': {
    meaning: <>La fecha firmada falta, no se entiende o difiere en más de 300 segundos de la hora del servidor.</>,
    remedy: (
      <>
        Sincronice el reloj por NTP. La fecha va en UTC, como <code>Tue, 04 Mar 2025 12:00:00 GMT</code> o ISO 8601 con
        su diferencia. Si va <code>X-{prefix}-Date</code>, se mira esa y no <code>Date</code>.
      </>
    ),
  },
  repetida: {
    meaning: (
      <>
        Esta firma ya se usó en un <code>POST</code>, <code>PUT</code>, <code>PATCH</code> o <code>DELETE</code>: cada
        una vale una vez.
      </>
    ),
    remedy: (
      <>
        Firme de nuevo cada intento, también los reintentos. Para dos solicitudes iguales en el mismo segundo, agregue
        un <code>X-{prefix}-Nonce</code> distinto. Si la primera sí llegó, no la repita.
      </>
    ),
  },
  'digest-invalido': {
    meaning: (
      <>
        Hay un cuerpo y falta <code>Digest</code>, o su valor no corresponde a los bytes recibidos.
      </>
    ),
    remedy: (
      <>
        Calcule <code>sha-256=</code> y el base64 del SHA-256 sobre los mismos bytes que se envían: si la biblioteca
        vuelve a escribir el JSON, los bytes cambian.
      </>
    ),
  },
  'token-invalido': {
    meaning: <>El token venció (dura una hora), no es de este servidor, o se revocó el secreto con el que se pidió.</>,
    remedy: (
      <>
        Pida otro en <code>/oauth/token</code> y repita la solicitud una vez. Si vuelve a fallar, revise el{' '}
        <code>AppSecret</code>.
      </>
    ),
  },
})
