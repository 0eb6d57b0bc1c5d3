import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fastify } from 'fastify'
import { MAX_CSV_ROWS, sendCsv } from './csv.ts'

const ZONE = 'America/Argentina/Buenos_Aires'

type Value = string | number | Date | null

/** The file of rows with one value in two columns. */
async function fileOf(rows: Value[]): Promise<string> {
  const app = fastify()
  const column = { head: 'Valor', cell: () => '', text: (row: Value) => row }
  app.get('/', (_, reply) => sendCsv(reply, 'x', [column, { ...column, head: 'Otra' }], rows, ZONE))
  return (await app.inject('/')).body
}

describe('a table as a file', () => {
  it('is what a spreadsheet of the country opens: semicolons, every cell quoted, UTF-8, moments of its zone', async () => {
    assert.equal(
      await fileOf(['a;b "c"', 7, null, new Date('2026-03-14T01:05:30.9Z')]),
      '\uFEFF"Valor";"Otra"\r\n"a;b ""c""";"a;b ""c"""\r\n"7";"7"\r\n"";""\r\n' +
        '"2026-03-13 22:05:30";"2026-03-13 22:05:30"\r\n',
    )
  })

  it('nothing that a stranger wrote is computed, not even behind what looks like the end of a cell', async () => {
    for (const [written, cell] of [
      ['=1+1', "'=1+1"],
      ['@x', "'@x"],
      ['hola\n=1', "hola\n'=1"],
      ['hola;-1', "hola;'-1"],
      ['\t=1', "'\t'=1"],
      ['a-b', 'a-b'],
    ] as const)
      assert.ok((await fileOf([written])).includes(`"${cell}";`), JSON.stringify(written))
    assert.ok((await fileOf([-3])).includes('"-3"'), 'a number is one')
  })

  it('is written in slices, between which other requests are answered', async () => {
    let turns = 0
    let isWritten = false
    const count = (): void => {
      turns++
      if (!isWritten) setImmediate(count)
    }
    count()
    await fileOf(Array.from({ length: MAX_CSV_ROWS }, (_, at) => at))
    isWritten = true
    assert.ok(turns >= 20, `${turns} turns of the event loop`)
  })

  it('says so at its end where it may have been cut', async () => {
    const rows = Array.from({ length: MAX_CSV_ROWS }, (_, n) => n)
    assert.match(await fileOf(rows), /"9999";"9999"\r\n"El archivo llega hasta aquí: [^"]+"\r\n$/)
    assert.doesNotMatch(await fileOf(rows.slice(1)), /El archivo llega/)
  })
})
