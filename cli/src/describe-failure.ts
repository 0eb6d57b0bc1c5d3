const REMEDIES: [codes: RegExp, remedy: (url: URL) => string][] = [
  [/^ECONNREFUSED$/, () => 'Nothing listens there: is the server running, and the port right?'],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    ({ hostname }) => `The name ${hostname} is not known: check its spelling and your network.`,
  ],
  [
    /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|TimeoutError|EHOSTUNREACH|ENETUNREACH)$/,
    () => 'No response in time: check your network, a firewall or a proxy.',
  ],
  [
    /CERT|^UNABLE_TO_|SELF_SIGNED/,
    () => 'Its certificate is not trusted: for an authority of your own, set NODE_EXTRA_CA_CERTS to its file.',
  ],
  [/^(EPROTO|ERR_SSL_.*)$/, () => 'It does not speak TLS there: http instead of https?'],
]

interface Failure {
  name?: string
  message?: string
  cause?: { code?: string; message?: string }
}

/** Why an address does not answer, and what to do. `error` is what fetch threw. */
export function describeFailure(address: string, error: unknown, source: string): string {
  const { cause, name, message = 'no response' } = error as Failure
  const code = cause?.code ?? cause?.message ?? (name === 'TimeoutError' ? name : message)
  const remedy = REMEDIES.find(([codes]) => codes.test(code))?.[1](new URL(address))
  return `${address} does not answer (${code}). ${remedy ? `${remedy} ` : ''}The address is from ${source}.`
}
