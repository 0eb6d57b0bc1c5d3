import type { FastifyInstance } from 'fastify'
import { DAY_SECONDS } from '../../clock.ts'
import { formRoute, textField } from '../form.ts'
import { returnTo } from '../language.tsx'
import { seeOther } from '../signed-in.ts'
import { THEME_COOKIE, themeNamed } from '../theme.ts'

const YEAR_SECONDS = 365 * DAY_SECONDS
const THEME_FORM = formRoute(20)

/** POST /tema: keeps the theme in this browser, and returns to the page of the form. */
export function themeRoutes(app: FastifyInstance): void {
  app.post('/tema', THEME_FORM, async (request, reply) => {
    const theme = themeNamed(textField(request.form, 'tema'))
    reply.server.cookies.set(reply, THEME_COOKIE, theme, theme === 'auto' ? 0 : YEAR_SECONDS)
    return seeOther(reply, returnTo(request.headers.referer))
  })
}
