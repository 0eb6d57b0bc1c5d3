import type { Config } from '../../config.ts'
import { dayOf } from '../../http/dates.ts'
import { dateFormat } from '../../i18n/format.ts'
import { type Locale, withLanguage } from '../../i18n/locale.ts'
import { t } from '../../i18n/messages.tsx'
import { inquiryEmail, receiptEmail, reminderEmail } from '../../mail/compose.ts'
import { type EmailWriter, localeOf } from '../../mail/email.ts'
import { phoneLinks } from '../../phone.ts'
import type { Db } from '../../store/db.ts'
import { momentOf } from '../../ulid.ts'
import { consentLocale } from './consent.ts'
import { autoOf, interesadoOf } from './consulta.ts'
import { carDetails, carName, interestLines } from './labels.ts'
import { type ConsultaWithAgencia, findBySid } from './read.ts'

type Settings = Pick<Config, 'publicUrl' | 'brand' | 'retentionDays' | 'country' | 'timeZone'>

const DAY = dateFormat({ day: '2-digit', month: '2-digit', year: 'numeric' })

/** Composes the emails about inquiries; an erased inquiry has none. */
export function consultaWriter(db: Db, config: Settings): EmailWriter {
  return async ({ kind, to, sid }) => {
    const found = await findBySid(db, sid)
    if (!found || found.suprimida) return undefined
    const locale = (kind === RECEIPT && formLocale(found, config)) || (await localeOf(db, to))
    return withLanguage({ locale, country: config.country }, () => writerOf(kind)(found, to, config))
  }
}

const RECEIPT = 'consulta-recibo'

/** The language of the form that the person filled in. Other sites do not tell theirs. */
const formLocale = ({ consentimiento }: ConsultaWithAgencia, { brand }: Settings): Locale | undefined =>
  consentimiento === null ? undefined : consentLocale(brand.current().nombre, consentimiento)

const writerOf = (kind: string) => (kind === 'consulta' ? toOperador : kind === 'recordatorio' ? toReminded : toPerson)

function toReminded({ consulta, agencia }: ConsultaWithAgencia, to: string, config: Settings) {
  const { Nombre, Apellido, Email, Telefono } = interesadoOf(consulta)
  return reminderEmail({
    to,
    agencia: agencia.nombre,
    auto: carName(autoOf(consulta)),
    nombre: [Nombre, Apellido].filter(Boolean).join(' ') || Email || (Telefono ?? ''),
    url: `${config.publicUrl}/cuenta/consultas/${consulta.sid}`,
    brand: config.brand.current(),
  })
}

function toOperador({ consulta, agencia }: ConsultaWithAgencia, to: string, config: Settings) {
  const auto = autoOf(consulta)
  const person = interesadoOf(consulta)
  return inquiryEmail({
    to,
    agencia: agencia.nombre,
    auto: carName(auto),
    datos: carDetails(auto),
    nombre: [person.Nombre, person.Apellido].filter(Boolean).join(' '),
    email: person.Email,
    telefono: person.Telefono,
    telefonoLinks: person.Telefono === null ? undefined : phoneLinks(person.Telefono, config.country),
    comentario: person.Comentario,
    detalles: interestLines(person),
    repite: consulta.repite !== null,
    url: `${config.publicUrl}/cuenta/consultas/${consulta.sid}`,
    brand: config.brand.current(),
  })
}

function toPerson({ consulta, agencia }: ConsultaWithAgencia, to: string, config: Settings) {
  const { nombre, telefono, direccion, ciudad } = agencia
  const place = [direccion, ciudad].filter(Boolean).join(', ')
  return receiptEmail({
    to,
    agencia: nombre,
    contacto: [
      ...(telefono ? [t('correo.receipt.telephone', { telephone: telefono })] : []),
      ...(place ? [t('correo.receipt.place', { place })] : []),
    ],
    auto: publicCarName(consulta),
    dia: DAY().format(new Date(`${dayOf(momentOf(consulta.sid), config.timeZone)}T00:00:00Z`)),
    dias: config.retentionDays,
    ley: config.country === 'AR' ? t('correo.receipt.law.AR') : undefined,
    brand: config.brand.current(),
  })
}

/** Of a car of the catalogue only the make is ours: model and version may be as they were typed. */
function publicCarName(consulta: ConsultaWithAgencia['consulta']): string {
  const auto = autoOf(consulta)
  return consulta.tipoAnuncio === 'catalogo' ? t('correo.receipt.newCar', { make: auto.Marca }) : carName(auto)
}
