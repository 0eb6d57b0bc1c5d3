import { readFileSync } from 'node:fs'
import type { Language } from '../../src/pages/docs/languages.ts'

/** What the specification says of signatures. */
export const VECTORS: {
  AppSecret: string
  vectors: { method: string; target: string; headers: Record<string, string>; signature: string }[]
} = JSON.parse(readFileSync(new URL('../../contract/vectors/signature.json', import.meta.url), 'utf8'))

type Programmed = Exclude<Language, 'curl'>

const json = JSON.stringify
const inPhp = (value: unknown) => `json_decode('${json(value)}', true)`
const inCsharp = (value: Record<string, string>) =>
  `new Dictionary<string, string> { ${Object.entries(value).map(([name, each]) => `[${json(name)}] = ${json(each)}`)} }`

/** A few lines that print the signature of a request. */
export const ASK_SIGNATURE: Record<
  Programmed,
  (method: string, target: string, headers: Record<string, string>) => string
> = {
  typescript: (...asked) =>
    `import { firma } from './rodado.mts'\nconsole.log(firma(...${json(asked)}, ${json(VECTORS.AppSecret)}))`,
  python: (...asked) => `from rodado import firma\nprint(firma(*${json(asked)}, ${json(VECTORS.AppSecret)}))`,
  php: (...asked) => `<?php require 'rodado.php'; echo firma(...${inPhp([...asked, VECTORS.AppSecret])});`,
  csharp: (method, target, headers) =>
    `Console.WriteLine(Rodado.Firma(${json(method)}, ${json(target)}, ${inCsharp(headers)}, ${json(VECTORS.AppSecret)}));`,
}

/** A few lines that print whether a notification is ours. */
export const ASK_NOTIFICATION: Record<Programmed, (headers: Record<string, string>, secret: string) => string> = {
  typescript: (headers, secret) =>
    `import { esNotificacionNuestra } from './notificacion.mts'
console.log(esNotificacionNuestra(new Headers(${json(headers)}), ${json(secret)}))`,
  python: (headers, secret) =>
    `from notificacion import es_notificacion_nuestra\nprint(es_notificacion_nuestra(${json(headers)}, ${json(secret)}))`,
  php: (...asked) => `<?php require 'notificacion.php'; echo json_encode(esNotificacionNuestra(...${inPhp(asked)}));`,
  csharp: (headers, secret) => `Console.WriteLine(Notificacion.EsNuestra(${inCsharp(headers)}, ${json(secret)}));`,
}

/** The same question in variables, as the shell is asked. */
export const notificationVariables = (headers: Record<string, string>, SECRET: string) => ({
  SECRET,
  ID: headers['Notification-Hook-ID'] ?? '',
  MOMENTO: headers['Notification-Timestamp'] ?? '',
  TOPIC: headers['Notification-Topic'] ?? '',
  FIRMA: headers['Notification-Signature'] ?? '',
  ANTERIOR: headers['Notification-Signature-Anterior'] ?? '',
})
