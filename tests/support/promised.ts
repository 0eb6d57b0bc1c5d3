import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Operation } from '../../src/http/openapi/document.ts'
import { documentOf } from '../../src/http/openapi.ts'
import { resolve } from '../../src/pages/docs/call.ts'
import type { Answer } from './caller.ts'
import type { TestServer } from './server.ts'

/** Checks that the document promises an answer of an operation: its status, type and headers, and its body by the schema. */
export function promiseCheck({ app }: Pick<TestServer, 'app'>) {
  const document = documentOf(app)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  return (operation: Operation | undefined, answer: Answer): void => {
    const at = `${operation?.operationId} ${answer.status}`
    const promised = operation?.responses[answer.status]
    assert.ok(promised, `${at} is not promised`)
    const { content, headers = {} } = resolve(promised, document)
    const type = answer.headers['content-type']?.split(';', 1)[0] ?? ''
    const media = content?.[type]
    assert.ok(media, `${at}: ${type} is not promised`)
    const validate = ajv.compile(JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"document#/')))
    assert.ok(validate(answer.json), `${at}: ${ajv.errorsText(validate.errors)}`)
    for (const name of Object.keys(headers)) assert.ok(name.toLowerCase() in answer.headers, `${at}: ${name}`)
  }
}
