// Generates the contract's OpenAPI documents from the routes, and from them the client's types, the command line's data and
// the collections for Postman and Bruno; and contract/codes.tsv: `npm run contract`.
import { writeFile } from 'node:fs/promises'
import { documentFor } from '../src/http/openapi/audience.ts'
import { PUBLICACION_SCHEMA, printPublicacionSchema, printSamples, SAMPLES } from './cli-data.ts'
import { type Contract, OPERATIONS, printOperations, printSchema, SCHEMA } from './client-types.ts'
import { CODES, printCodes } from './codes.ts'
import { printCollections, writeCollections } from './collections.ts'
import { CONTRACTS, makeDocument, printDocument } from './document.ts'

const whole = await makeDocument()
const contract = whole as object as Contract
await writeFile(CONTRACTS.partners, printDocument(documentFor('partners', whole)))
await writeFile(CONTRACTS.site, printDocument(documentFor('site', whole)))
await writeFile(CODES, printCodes())
await writeFile(SCHEMA, printSchema(contract))
await writeFile(OPERATIONS, printOperations(contract))
await writeFile(SAMPLES, printSamples(contract))
await writeFile(PUBLICACION_SCHEMA, printPublicacionSchema(contract))
await writeCollections(printCollections(JSON.parse(printDocument(documentFor('partners', whole)))))
