import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { lexer } from 'marked'
import { send } from '../../../../tests/support/caller.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { fileNameOf, TASKS } from '../examples.ts'
import { languages } from '../languages.ts'
import { guide } from './chapters.ts'

const { chapters: CHAPTERS, start: START } = guide()

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const get = (path: string, headers = {}) => send(server.url, path, { headers })
const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../contract/vectors/${name}.json`, import.meta.url), 'utf8'))

test('200: every program is shown in some chapter, in each language, whole', async () => {
  for (const language of languages) {
    const pages = await Promise.all(CHAPTERS.map(({ slug }) => get(`/docs/guia/${slug}?lenguaje=${language}`)))
    for (const task of TASKS) {
      const file = fileNameOf(task, language)
      const shown = pages.find(({ text }) => text.includes(`<code>${file}</code>`)) ?? assert.fail(file)
      const { text } = await get(`/docs/ejemplos/${language}/${file}`)
      assert.ok(codeOf(shown.text, `ejemplo-${task}`) === text.trimEnd(), `${file} as it is downloaded`)
    }
  }
})

/** What a reader would copy from the figure with that id. */
function codeOf(html: string, id: string): string {
  const figure = html.slice(html.indexOf(`id="${id}"`))
  const code = /<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/.exec(figure)?.[1] ?? ''
  const signs: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
  return code.replace(/<[^>]+>/g, '').replace(/&\w+;/g, (sign) => signs[sign] ?? sign)
}

test('200: the chosen language is remembered', async () => {
  const chosen = await get('/docs/guia/firmar?lenguaje=php')
  assert.match(chosen.headers['set-cookie'] ?? '', /^lenguaje=php; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  const later = await get('/docs/guia/invitar', { cookie: 'otra=1; lenguaje=php' })
  assert.ok(later.text.includes('<code>invitar.php</code>'))
  assert.equal(later.headers['set-cookie'], undefined)
  assert.match(later.headers.vary ?? '', /Cookie/)
  assert.ok((await get('/docs/guia/invitar', { cookie: 'lenguaje=cobol' })).text.includes('<code>invitar.sh</code>'))
})

test('200: every chapter is Markdown too, in each language, with its programs and without a placeholder', async () => {
  for (const { slug, title, sections } of [START, ...CHAPTERS]) {
    const path = slug === START.slug ? '/docs/guia' : `/docs/guia/${slug}`
    for (const language of languages) {
      const { status, headers, text } = await get(`${path}.md?lenguaje=${language}`)
      assert.deepEqual([status, headers['content-type']], [200, 'text/markdown; charset=utf-8'], path)
      assert.ok(text.startsWith(`# ${title}\n\n`), path)
      assert.doesNotMatch(text.replace(/```[\s\S]*?\n```\n/g, ''), /\{\{|\{#|\[object|undefined/, path)
      const { text: html } = await get(`${path}?lenguaje=${language}`)
      for (const section of sections) assert.ok(text.includes(`\n## ${section.title}\n`), `${path}: ${section.title}`)
      for (const [, task = ''] of html.matchAll(/id="ejemplo-([\w-]+)"/g))
        assert.ok(codesIn(text).includes(codeOf(html, `ejemplo-${task}`)), `${path}: ${task}`)
    }
  }
  const { headers } = await get('/docs/guia/firmar?lenguaje=php')
  assert.match(headers.link ?? '', /^<\/docs\/guia\/firmar\.md\?lenguaje=php>; rel="alternate"; type="text\/markdown",/)
  const cached = await get('/docs/guia/firmar.md', { cookie: 'lenguaje=php' })
  assert.ok(cached.text.includes('rodado.sh') && !cached.headers.vary?.includes('Cookie'), 'cookies do not matter')
  assert.equal((await get('/docs/guia/firmar.md', { 'if-none-match': cached.headers.etag })).status, 304)
})

const codesIn = (markdown: string) => lexer(markdown).flatMap((token) => (token.type === 'code' ? [token.text] : []))

test('200: Markdown has the table, the problem and the signatures of the page, and paragraphs of its language only', async () => {
  const markdown = async (path: string) => (await get(path)).text
  assert.match(await markdown('/docs/guia/suscribir.md'), /\| 410 \| El webhook se deshabilita en el momento\. \|/)
  assert.match(
    await markdown('/docs/guia/suscribir.md'),
    /- \[`consulta\.recibida`\]\(http.*webhook-consulta\.recibida\): /,
  )
  assert.match(await markdown('/docs/guia/errores.md'), /```\n\{\n[\s\S]*\n {2}"Type": "http/)
  for (const { headers } of vectors('webhook').vectors.slice(0, 1))
    assert.ok((await markdown('/docs/guia/verificar.md')).includes(headers['webhook-signature']))
  assert.match(await markdown('/docs/guia/verificar.md'), /curl no puede recibir notificaciones/)
  assert.doesNotMatch(await markdown('/docs/guia/verificar.md?lenguaje=php'), /curl no puede recibir notificaciones/)
})

test('200: /llms.txt has the form of llmstxt.org, and its links and those of the Markdown lead to something', async () => {
  const { status, headers, text } = await get('/llms.txt')
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.match(text, /^# .+\n\n> .+\n/)
  const kinds = lexer(text).filter(({ type }) => type !== 'space')
  assert.deepEqual(
    kinds.map((token) => (token.type === 'heading' ? `${token.depth}` : token.type)),
    ['1', 'blockquote', 'list', '2', 'list', '2', 'list', '2', 'list'],
  )
  for (const { slug, title } of CHAPTERS)
    assert.ok(text.includes(`- [${title}](${server.config.publicUrl}/docs/guia/${slug}.md): `), slug)
  assert.ok(text.includes(`(${server.config.publicUrl}/openapi.json)`))

  const texts = [
    text,
    ...(await Promise.all(CHAPTERS.map(async ({ slug }) => (await get(`/docs/guia/${slug}.md`)).text))),
  ]
  texts.push((await get('/docs/guia.md')).text)
  const links = new Set(texts.flatMap((each) => [...each.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href)))
  for (const link of links) {
    const { origin, pathname, search } = new URL(link) // every link is absolute
    if (origin === server.config.publicUrl) assert.equal((await get(pathname + search)).status, 200, link)
  }
})

test('304: a page is sent once for each language', async () => {
  const { headers } = await get('/docs/guia/firmar?lenguaje=python')
  const same = { 'if-none-match': headers.etag }
  assert.equal((await get('/docs/guia/firmar', { ...same, cookie: 'lenguaje=python' })).status, 304)
  assert.equal((await get('/docs/guia/firmar', { ...same, cookie: 'lenguaje=php' })).status, 200)
})

test('404: an unknown language, chapter or program gets a page that says what there is', async () => {
  for (const path of [
    '/docs/guia?lenguaje=cobol',
    '/docs/guia/firmar?lenguaje=php&lenguaje=curl',
    '/docs/guia/nada',
    '/docs/guia/nada.md',
    '/docs/guia/inicio.md',
    '/docs/guia/firmar.md?lenguaje=cobol',
    '/docs/ejemplos/cobol/rodado.cob',
    '/docs/ejemplos/php/rodado.py',
    '/docs/ejemplos/php/..%2Frodado.php',
  ]) {
    const { status, headers, text } = await get(path)
    assert.equal(status, 404, path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.ok(text.includes('href="/docs/guia?lenguaje=python"'), path)
  }
})

test('200: the pages show the vectors of the contract', async () => {
  const { text: signing } = await get('/docs/guia/firmar')
  for (const { signature } of vectors('signature').vectors) assert.ok(signing.includes(signature), signature)
  const { text: verifying } = await get('/docs/guia/verificar')
  for (const { headers } of vectors('webhook').vectors)
    for (const signature of Object.values<string>(headers)) assert.ok(verifying.includes(signature), signature)
})

test('200: pages and programs have the names of the installation', async () => {
  const acme = await startServer({ env: { SIGNATURE_PREFIX: 'ACME', PUBLIC_URL: 'https://api.acme.example' } })
  try {
    for (const language of languages) {
      const { text } = await send(acme.url, `/docs/ejemplos/${language}/${fileNameOf('rodado', language)}`)
      assert.ok(text.includes('ACME-HMAC') && text.includes('https://api.acme.example'), language)
      assert.doesNotMatch(text, /svc-/i)
    }
    assert.doesNotMatch((await send(acme.url, '/docs/guia/firmar')).text, /svc-/i)
  } finally {
    await acme.stop()
  }
})

test('200: the example of a code has what its remedy speaks of, where the member is sent', async () => {
  const { text } = await get('/problemas/codigos/sin-coincidencia')
  assert.match(text, /Extensions\.Candidatos.*Instance.*\/v3\/publicaciones\/.*Candidatos.*\/v3\/ciudades\//s)
})

test('200: a search finds operations, data, topics, problems and the guide, whatever the accents', async () => {
  const found = async (question: string) => (await get(`/docs/buscar?q=${encodeURIComponent(question)}`)).text
  assert.ok((await found('invitación')).includes('/docs/guia/invitar#'))
  assert.ok((await found('INVITACION')).includes('/docs/guia/invitar#'))
  assert.ok((await found('ExposicionOtorgada')).includes('/docs#esquema-Publicacion'))
  assert.ok((await found('/v3/marcas bestmatch')).includes('/docs#operacion-buscarMarca'))
  assert.ok((await found('consulta.suprimida')).includes('/docs#webhook-consulta.suprimida'))
  assert.ok((await found('429')).includes('/problemas/demasiadas-solicitudes'))
  assert.ok((await found('muy-corto')).includes('/problemas/codigos/muy-corto'))
  assert.ok((await found('suscrivir webhok')).includes('/docs/guia/suscribir'), 'typing errors are forgiven')
  for (const swapped of ['frima', 'agnecia', 'tokne', 'webohok suscribir'])
    assert.ok(!(await found(swapped)).includes('No hay resultados'), `${swapped}: swapped letters are forgiven`)
  assert.match(await found('fecha fuera de rango'), /<mark>fecha<\/mark>/, 'it shows where')
  assert.match(await found('AppWebhookTopic'), /Descripcion · Configurado · /, 'members without a text, too')
  const part = await get('/docs/buscar?q=firmr', { 'hx-request': 'true' })
  assert.match(part.text, /^<p role="status">Los \d+ mejores resultados para «firmr»\.<\/p><ul class="found"><li>/)
  assert.match(await found('resendwebhook'), /<p role="status">\d resultados? para «resendwebhook»\.<\/p>/)
  const nothing = await found('<b>zxqw</b>')
  assert.ok(nothing.includes('No hay resultados') && !nothing.includes('<b>zxqw'))
  const twelve = 'a de la el en un que se no es lo y'
  assert.ok((await found(`zx ${twelve}`)).includes('No hay resultados'))
  assert.ok(!(await found(`${twelve} zx`)).includes('No hay resultados'), 'words after the twelfth are ignored')
})
