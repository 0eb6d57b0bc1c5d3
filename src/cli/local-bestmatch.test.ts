import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { run as rodado } from './run.ts'

const PUBLIC_URL = 'https://api.example.com'

async function run(argv: string[], input = '', country = 'AR'): Promise<{ code: number; output: string; err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const output = text(out)
  const env = { PUBLIC_URL, COUNTRY: country }
  const code = await rodado(['bestmatch', ...argv], { out, err, input: Readable.from([input]), env })
  out.end()
  return { code, output: await output, err: String(err.read() ?? '') }
}

const jsonLines = (output: string): unknown[] =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('0: JSON lines of cities are answered in order, null where nothing matches', async () => {
  const lines = [
    { id: 'a', state: 'Bs As', city: 'Temperly' },
    { id: 2, state: 'Santa Fe', city: 'n/a' },
    { state: 'Cba', city: 'Córdoba' },
  ]
  const { code, output } = await run(
    ['--kind', 'city', '--stdin'],
    lines.map((line) => JSON.stringify(line)).join('\n'),
  )
  assert.equal(code, 0)
  assert.deepEqual(jsonLines(output), [
    { id: 'a', name: 'Temperley', state: 'AR-B', score: 0.89, rule: 'similar' },
    { id: 2, name: null, state: null, score: null, rule: null },
    { id: null, name: 'Córdoba', state: 'AR-X', score: 1, rule: 'name' },
  ])
})

test('0: the other kinds take a query, with the catalogue of the country given', async () => {
  const input = '{"id":1,"query":"vw"}\n'
  assert.deepEqual(jsonLines((await run(['--kind', 'make', '--stdin'], input)).output), [
    { id: 1, name: 'Volkswagen', state: null, score: 1, rule: 'codename' },
  ])
  const region = await run(['--kind', 'region', '--stdin'], '{"id":1,"query":"Jal."}\n', 'MX')
  assert.deepEqual(jsonLines(region.output), [{ id: 1, name: 'Jalisco', state: 'MX-JAL', score: 1, rule: 'iso' }])
})

test('0: models and versions, one or many, with the make and the model they belong to', async () => {
  const lines = [
    { id: 1, make: 'VW', model: 'amarok v6 highline' },
    { id: 2, make: 'Ford', model: 'Gol' },
  ]
  const models = await run(['--kind', 'model', '--stdin'], lines.map((line) => JSON.stringify(line)).join('\n'))
  assert.deepEqual(jsonLines(models.output), [
    { id: 1, name: 'Amarok', make: 'Volkswagen', state: null, score: 0.86, rule: 'name' },
    { id: 2, name: null, state: null, score: null, rule: null },
  ])
  const trim = { id: 3, make: 'Fiat', model: 'Cronos', trim: 'precision at', displacement: 1.8 }
  const versions = await run(['--kind', 'version', '--stdin'], JSON.stringify(trim))
  const [version] = jsonLines(versions.output) as Record<string, unknown>[]
  assert.deepEqual([version?.name, version?.make, version?.model], ['Precision 1.8 E.torQ AT', 'Fiat', 'Cronos'])
  const one = await run(['--kind', 'model', '--make', 'Peugeot', '208', 'allure'])
  assert.match(one.output, /^208 \(Peugeot\), id \d{6}\nrule=name/)
  const vague = await run(['--kind', 'version', '--make', 'Toyota', '--model', 'Etios', 'XLS'])
  assert.equal(vague.code, 1)
  assert.match(
    vague.output,
    /^no match on trim: no version of Etios is certain\n {2}1\.00 {2}XLS .*\(Toyota Etios\), id/,
  )
})

test('a URL of PUBLIC_URL names a record, one of another host does not', async () => {
  const ours = await run(['--kind', 'make', `${PUBLIC_URL}/v3/marcas/192`])
  assert.equal(ours.code, 0)
  assert.match(ours.output, /, id 192\nrule=url, score=1/)
  const other = await run(['--kind', 'make', 'http://127.0.0.1:3000/v3/marcas/192'])
  assert.equal(other.code, 1)
})

test('1: a line that is no JSON object is answered with its fault, and the rest goes on', async () => {
  const { code, output } = await run(['--kind', 'colour', '--stdin'], 'hola\n\n[1]\n{"id":3,"query":"rojo"}\n')
  assert.equal(code, 1)
  const [first, second, third] = jsonLines(output) as Record<string, unknown>[]
  assert.match(String(first?.error), /line 1 is not a JSON object/)
  assert.match(String(second?.error), /line 3/)
  assert.equal(third?.name, 'Rojo')
})

test('a person asks for one value and reads the answer, or the reason and the candidates', async () => {
  const match = await run(['--kind', 'city', '--state', 'Mendoza', 'godoy', 'crus'])
  assert.equal(match.code, 0)
  assert.match(match.output, /^Godoy Cruz \(AR-M\), id \d+\nrule=similar, score=0\.9/)
  const none = await run(['--kind', 'city', '--state', 'Mendoza', 'Villa'])
  assert.equal(none.code, 1)
  assert.match(none.output, /^no match on city: «Villa».*\n {2}0\.\d\d {2}Villa /)
})

test('--json: one value for programs, found or not', async () => {
  const match = await run(['--kind', 'make', '--json', 'mercedez bens'])
  assert.equal(match.code, 0)
  assert.deepEqual(JSON.parse(match.output), {
    id: 125,
    name: 'Mercedes-Benz',
    state: null,
    score: 0.97,
    rule: 'alias',
  })
  const none = await run(['--kind', 'city', '--state', 'Mendoza', '--json', 'Villa'])
  assert.equal(none.code, 1)
  const { id, name, parameter, candidates } = JSON.parse(none.output)
  assert.deepEqual([id, name, parameter], [null, null, 'city'])
  assert.match(candidates[0].name, /Villa/)
  assert.equal(candidates[0].state, 'AR-M')
})

test('2: a wrong command line is reported, and standard output stays empty', async () => {
  for (const [argv, why] of [
    [[], /--kind is needed/],
    [['--kind', 'boat', 'x'], /--kind is needed/],
    [['--kind', 'make'], /give a VALUE/],
    [['--kind', 'make', '--fast', 'x'], /--fast/],
    [['--kind', 'make', '--stdin', 'x'], /not both/],
    [['--kind', 'make', '--stdin', '--json'], /leave --json out/],
  ] as const) {
    const { code, output, err } = await run([...argv])
    assert.deepEqual([code, output], [2, ''])
    assert.match(err, why)
  }
})
