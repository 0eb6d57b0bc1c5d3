import type { Method } from '../../http/openapi/document.ts'

export interface Call {
  method: Method
  /** Path and query exactly as sent. */
  target: string
  body?: string
}

/** A shell that has APP_KEY and APP_SECRET runs this as it stands: date, openssl and curl do the rest. */
export function signedCurl({ method, target, body }: Call, publicUrl: string, scheme: string): string {
  const verb = method.toUpperCase()
  const digest = body === undefined ? "''" : '"$DIGEST"'
  const lines = [
    ...(body === undefined
      ? []
      : [`CUERPO=${quoted(body)}`, `DIGEST="sha-256=$(printf %s "$CUERPO" | openssl dgst -sha256 -binary | base64)"`]),
    `FECHA=$(LC_ALL=C date -u '+%a, %d %b %Y %T GMT')`,
    `FIRMA=$(printf '${verb}\\n%s\\n%s\\n%s' ${digest} "$FECHA" ${quoted(target)} |`,
    `  openssl dgst -sha256 -hmac "$APP_SECRET" -binary | base64)`,
    '',
    curl(verb, publicUrl + target, [
      `-H "Date: $FECHA"`,
      `-H "Authorization: ${scheme} $APP_KEY:$FIRMA"`,
      ...(body === undefined
        ? []
        : [`-H "Digest: $DIGEST"`, `-H 'Content-Type: application/json'`, `--data-raw "$CUERPO"`]),
    ]),
  ]
  return lines.join('\n')
}

/** For what needs no signature. */
export function plainCurl({ method, target, body }: Call, publicUrl: string, options: string[] = []): string {
  const data = body === undefined ? [] : [`-d ${quoted(body)}`]
  return curl(method.toUpperCase(), publicUrl + target, [...options, ...data])
}

function curl(verb: string, url: string, options: string[]): string {
  const sendsData = options.some((option) => option.startsWith('-d') || option.startsWith('--data'))
  const start = verb === (sendsData ? 'POST' : 'GET') ? 'curl' : `curl -X ${verb}`
  return [`${start} ${quoted(url)}`, ...options].join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
