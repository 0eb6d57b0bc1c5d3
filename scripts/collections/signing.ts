/**
 * The part of the pre-request script that Postman and Bruno share. Both have crypto-js and neither the other's objects.
 * `target` is path and query as sent.
 */
export const SIGNING = `const cryptoJs = require('crypto-js')

function targetOf(url) {
  const target = url.replace(/^https?:\\/\\/[^/?#]*/, '').replace(/#.*$/, '') || '/'
  return encodeURI(target).replace(/%25(?=[0-9A-Fa-f]{2})/g, '%')
}

function authHeaders({ method, target, body, auth, accessToken, appKey, appSecret, prefix }) {
  if (auth === 'token') return { authorization: 'Bearer ' + accessToken }
  const own = 'x-' + prefix.toLowerCase()
  const headers = {
    [own + '-date']: new Date().toUTCString(),
    [own + '-nonce']: cryptoJs.lib.WordArray.random(16).toString(),
  }
  const lines = Object.keys(headers).sort().map((name) => name + ':' + headers[name])
  const digest = body ? 'sha-256=' + cryptoJs.SHA256(body).toString(cryptoJs.enc.Base64) : ''
  const text = [method, digest, '', ...lines, target].join('\\n')
  const signature = cryptoJs.HmacSHA256(text, appSecret).toString(cryptoJs.enc.Base64)
  if (digest) headers.digest = digest
  headers.authorization = prefix + '-HMAC ' + appKey + ':' + signature
  return headers
}`
