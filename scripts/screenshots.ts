// Takes the screenshots of the README: `npm run screenshots`; other settings: `-- --into /tmp/x --width 390 --dark`.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { TOTP } from 'otpauth'
import type { BrowserContextOptions } from 'playwright-core'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { offerSetup, setUp } from '../src/accounts/second-factor.ts'
import { findAccount } from '../src/accounts/store.ts'
import { launchBrowser } from '../tests/support/browser.ts'
import { signedInAs } from '../tests/support/staff.ts'
import { type Visitor, visitor } from '../tests/support/visitor.ts'
import { openStage, type Stage } from './screenshots/stage.ts'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const HEIGHT = 860
const TELEPHONE_WIDTH = '390'

type Who = 'staff' | 'developer' | 'agency' | 'nobody'
interface Picture {
  name: string
  who: Who
  /** A path, or a function that finds one. */
  path: string | ((stage: Stage) => Promise<string>)
  /** Overrides the default size. */
  width?: string
}

const portal =
  (section: string) =>
  async ({ demo }: Stage) =>
    `/portal/${demo.AppKey}${section}`

const PAGES: Picture[] = [
  { name: 'portal', who: 'developer', path: portal('') },
  { name: 'puesta-en-marcha', who: 'developer', path: portal('/puesta-en-marcha') },
  { name: 'entregas', who: 'developer', path: portal('/entregas') },
  { name: 'entrega', who: 'developer', path: lastDelivery },
  { name: 'webhook', who: 'developer', path: portal('/webhooks/consulta.recibida') },
  {
    name: 'probar',
    who: 'developer',
    path: portal('/probar?ruta=/v3/ciudades/bestmatch?state=Bs%2520As%26city=temperlei'),
  },
  { name: 'uso', who: 'developer', path: portal('/uso?por=dia') },
  { name: 'consola', who: 'staff', path: '/consola' },
  { name: 'consola-agencias', who: 'staff', path: '/consola/agencias' },
  { name: 'consola-entregas', who: 'staff', path: '/consola/entregas' },
  { name: 'cuenta', who: 'agency', path: '/cuenta' },
  { name: 'cuenta-consultas', who: 'agency', path: '/cuenta/consultas' },
  { name: 'cuenta-publicaciones', who: 'agency', path: '/cuenta/publicaciones' },
  { name: 'aviso', who: 'nobody', path: '/aviso/100001' },
  { name: 'docs', who: 'nobody', path: '/docs' },
  { name: 'telefono-portal', who: 'developer', path: portal(''), width: TELEPHONE_WIDTH },
  { name: 'telefono-consola', who: 'staff', path: '/consola', width: TELEPHONE_WIDTH },
  { name: 'telefono-cuenta', who: 'agency', path: '/cuenta/consultas', width: TELEPHONE_WIDTH },
]

/** The delivery that needed the most attempts. */
async function lastDelivery({ demo, withStore }: Stage): Promise<string> {
  const [row] = await withStore(({ store }) =>
    store.query<{ id: string }>(sql`
      select d.id from deliveries d join apps a on a.id = d.app_id
      where a.app_key = ${demo.AppKey} and d.estado = 'entregada' order by d.attempts desc, d.id desc limit 1`),
  )
  return `/portal/${demo.AppKey}/entregas/${row?.id ?? ''}`
}

/** Signs in the demo's staff and sets up the second factor. */
async function staffOf({ url, demo, withStore }: Stage): Promise<Visitor> {
  const { email, password } = demo.Console
  const secret = await withStore(async ({ store, seal }) => {
    const found = await findAccount(store, 'produccion', email)
    if (!found) throw new Error('The demo has no staff.')
    const account = { ...found, session: 'screenshots' }
    const offered = offerSetup(seal, account)
    const earlier = new Date(Date.now() - 30_000) // a code is valid once, and signing in needs the current one
    await setUp(
      store,
      seal,
      account,
      new TOTP({ secret: offered.secret }).generate({ timestamp: earlier.getTime() }),
      earlier,
    )
    return offered.secret
  })
  const who = await visitor({ url }).enter(email, password)
  const { status } = await who.post('/entrar/codigo', { Codigo: new TOTP({ secret }).generate() })
  if (status !== 303) throw new Error(`The second factor was refused: ${status}`)
  return who
}

async function sessionsOf(stage: Stage): Promise<Record<Who, BrowserContextOptions>> {
  const { url, demo } = stage
  const [agencia = ''] = demo.Agencias
  const options = (who: Visitor) => signedInAs({ url }, who)
  return {
    staff: options(await staffOf(stage)),
    developer: options(await visitor({ url }).enter(demo.Portal.email, demo.Portal.password)),
    agency: options(await visitor({ url }).enter(agencia, demo.Portal.password)),
    nobody: { baseURL: url },
  }
}

const { values } = parseArgs({
  options: {
    into: { type: 'string', default: PICTURES },
    width: { type: 'string', default: '1280' },
    dark: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
await mkdir(values.into, { recursive: true })
const stage = await openStage()
const browser = await launchBrowser()
try {
  const sessions = await sessionsOf(stage)
  const colorScheme = values.dark ? 'dark' : 'light'
  for (const { name, who, path, width = values.width } of PAGES.filter(
    (each) => !values.only || values.only.split(',').includes(each.name),
  )) {
    process.stderr.write(`${name}\n`)
    const viewport = { width: Number(width), height: HEIGHT }
    const context = await browser.newContext({ viewport, colorScheme, ...sessions[who], locale: 'es-AR' })
    const page = await context.newPage()
    const answer = await page.goto(typeof path === 'string' ? path : await path(stage))
    if (answer?.status() !== 200) console.warn(`${name}: ${answer?.status()}`)
    else {
      await page.waitForLoadState('networkidle') // pictures of lists load late
      const picture = await page.screenshot({ fullPage: values.whole })
      // 256 colours are enough for a page, and take a third of the space.
      await sharp(picture)
        .png({ palette: true })
        .toFile(join(values.into, `${name}.png`))
    }
    await context.close()
  }
} finally {
  await browser.close()
  await stage.end()
}
