import type { FastifyInstance } from 'fastify'
import { notFound } from '../../http/problems.ts'
import { DRAWINGS, drawCar } from '../../sandbox/fiction/drawing.tsx'
import { HIDDEN } from '../page.ts'

const FOREVER = 'public, max-age=31536000, immutable'

/** GET /dibujos/{name}: a drawing that the demo names as the photo of a car. It depends on its name alone. */
export function drawingRoutes(app: FastifyInstance): void {
  app.get<{ Params: { dibujo: string } }>(`${DRAWINGS}:dibujo`, HIDDEN, ({ params }, reply) => {
    const drawing = drawCar(params.dibujo)
    if (!drawing) throw notFound()
    return reply
      .type('image/svg+xml')
      .headers({ 'cache-control': FOREVER, 'cross-origin-resource-policy': 'cross-origin' })
      .send(drawing)
  })
}
