import { fold } from '../../catalogue/text.ts'

/** How many drawings there are of each car. */
export const VIEWS = 3

/** A body style in an address: `Pick-up` is `pickup`. */
export const slugOf = (carroceria: string): string => fold(carroceria).replace(/[^a-z0-9]/g, '')

/** Addresses of drawings that stand for photos; the server draws them (pages/aviso/drawing.tsx). */
export const drawnPhotos = (publicUrl: string, carroceria: string, html: string): string[] =>
  Array.from(
    { length: VIEWS },
    (_, at) => `${publicUrl}/dibujos/${slugOf(carroceria)}-${html.replace('#', '').toLowerCase()}-${at + 1}.svg`,
  )
