// Writes contract/openapi.json anew from the routes: `npm run contract`.
import { writeFile } from 'node:fs/promises'
import { CONTRACT, makeDocument, printDocument } from './document.ts'

await writeFile(CONTRACT, printDocument(await makeDocument()))
