import { readFileSync } from 'node:fs'
import type { SampleLanguage } from '../../src/pages/docs/languages.ts'

/** The signature vectors of the specification. */
export const VECTORS: {
  AppSecret: string
  vectors: { method: string; target: string; headers: Record<string, string>; signature: string }[]
} = JSON.parse(readFileSync(new URL('../../contract/vectors/signature.json', import.meta.url), 'utf8'))

type Programmed = Exclude<SampleLanguage, 'curl'>

const json = JSON.stringify
const inPhp = (value: unknown) => `json_decode('${json(value)}', true)`
const inJava = (value: Record<string, string>) =>
  `java.util.Map.of(${Object.entries(value)
    .flat()
    .map((each) => json(each))})`
const inGo = (value: Record<string, string>) =>
  `map[string]string{ ${Object.entries(value).map(([name, each]) => `${json(name)}: ${json(each)}`)} }`
const inCsharp = (value: Record<string, string>) =>
  `new Dictionary<string, string> { ${Object.entries(value).map(([name, each]) => `[${json(name)}] = ${json(each)}`)} }`

/** A program that prints the signature of a request. */
export const ASK_SIGNATURE: Record<
  Programmed,
  (method: string, target: string, headers: Record<string, string>) => string
> = {
  javascript: (...args) =>
    `import { firma } from './rodado.mjs'\nconsole.log(firma(...${json(args)}, ${json(VECTORS.AppSecret)}))`,
  python: (...args) => `from rodado import firma\nprint(firma(*${json(args)}, ${json(VECTORS.AppSecret)}))`,
  php: (...args) => `<?php require 'rodado.php'; echo firma(...${inPhp([...args, VECTORS.AppSecret])});`,
  java: (method, target, headers) =>
    `public class Pregunta { public static void main(String[] args) throws Exception {
System.out.println(Rodado.firma(${json(method)}, ${json(target)}, ${inJava(headers)}, ${json(VECTORS.AppSecret)})); } }`,
  go: (method, target, headers) =>
    `package main
import "fmt"
func main() { fmt.Println(Firma(${json(method)}, ${json(target)}, ${inGo(headers)}, ${json(VECTORS.AppSecret)})) }`,
  csharp: (method, target, headers) =>
    `Console.WriteLine(Rodado.Firma(${json(method)}, ${json(target)}, ${inCsharp(headers)}, ${json(VECTORS.AppSecret)}));`,
}

/** A program that prints whether a notification verifies. */
export const ASK_NOTIFICATION: Record<Programmed, (headers: Record<string, string>, secret: string) => string> = {
  javascript: (headers, secret) =>
    `import { esNotificacionNuestra } from './notificacion.mjs'
console.log(esNotificacionNuestra(new Headers(${json(headers)}), ${json(secret)}))`,
  python: (headers, secret) =>
    `from notificacion import es_notificacion_nuestra\nprint(es_notificacion_nuestra(${json(headers)}, ${json(secret)}))`,
  php: (...args) => `<?php require 'notificacion.php'; echo json_encode(esNotificacionNuestra(...${inPhp(args)}));`,
  java: (headers, secret) =>
    `public class Pregunta { public static void main(String[] args) throws Exception {
System.out.println(Notificacion.esNuestra(${inJava(headers)}, ${json(secret)})); } }`,
  go: (headers, secret) =>
    `package main
import ("fmt"; "net/http")
func main() {
  encabezados := http.Header{}
  for nombre, valor := range ${inGo(headers)} { encabezados.Set(nombre, valor) }
  fmt.Println(EsNotificacionNuestra(encabezados, ${json(secret)}))
}`,
  csharp: (headers, secret) => `Console.WriteLine(Notificacion.EsNuestra(${inCsharp(headers)}, ${json(secret)}));`,
}

/** A notification's headers as shell variables. */
export const notificationVariables = (headers: Record<string, string>, SECRET: string) => ({
  SECRET,
  ID: headers['Notification-Hook-ID'] ?? '',
  MOMENTO: headers['Notification-Timestamp'] ?? '',
  TOPIC: headers['Notification-Topic'] ?? '',
  FIRMA: headers['Notification-Signature'] ?? '',
  ANTERIOR: headers['Notification-Signature-Anterior'] ?? '',
})
