// Generates contract/openapi.json from the routes, and the client's types from it: `npm run contract`.
import { writeFile } from 'node:fs/promises'
import { type Contract, OPERATIONS, printOperations, printSchema, SCHEMA } from './client-types.ts'
import { CONTRACT, makeDocument, printDocument } from './document.ts'

const document = printDocument(await makeDocument())
const contract: Contract = JSON.parse(document)
await writeFile(CONTRACT, document)
await writeFile(SCHEMA, printSchema(contract))
await writeFile(OPERATIONS, printOperations(contract))
