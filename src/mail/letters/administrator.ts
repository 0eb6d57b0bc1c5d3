import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface NewAdministrator {
  to: string
  agencia: string
  /** Who decided it: a name, an address, or the marketplace. */
  porQuien: string
  /** The account page, or the one-time link with which a new person chooses a password. */
  url: string
  oneTime: boolean
  support: Support
}

/** Tells someone that they administer an agency from now on. */
export function administratorLetter({ to, agencia, porQuien, url, oneTime, support }: NewAdministrator): Letter {
  const sheet = write({
    subject: `Usted administra ${agencia} en Rodado`,
    title: `Usted administra ${agencia}`,
    preview: `${porQuien} puso la agencia a su cargo.`,
    blocks: [
      { words: 'Hola:' },
      {
        words: `${porQuien} puso ${agencia} a su cargo en Rodado. Desde su cuenta verá la agencia y las apps asociadas.`,
      },
      { button: oneTime ? 'Elegir una clave y entrar' : 'Ver mi cuenta', url },
    ],
    footer: [{ note: 'Si cree que se trata de un error, avise a atención al cliente.' }, ...supportBlocks(support)],
  })
  return { kind: 'administrador', to, ...sheet, ...(oneTime && { oneTimeUrls: [url] }) }
}

export interface ReplacedAdministrator {
  to: string
  agencia: string
  /** The new administrator's address. */
  nuevo: string
  support: Support
}

/** Tells the former administrator, who should hear of it even when somebody else did it. */
export function replacedLetter({ to, agencia, nuevo, support }: ReplacedAdministrator): Letter {
  const sheet = write({
    subject: `Otra persona administra ${agencia} en Rodado`,
    title: `Otra persona administra ${agencia}`,
    preview: `Desde ahora la administra ${nuevo}.`,
    blocks: [
      { words: 'Hola:' },
      { words: `Desde ahora ${agencia} está a cargo de ${nuevo}. Usted ya no la administra.` },
      {
        words: 'Durante 90 días las apps asociadas seguirán encontrando la agencia también por la dirección anterior.',
      },
    ],
    footer: [
      { note: 'Si no fue usted y no lo esperaba, avise cuanto antes a atención al cliente.' },
      ...supportBlocks(support),
    ],
  })
  return { kind: 'administrador-reemplazado', to, ...sheet }
}
