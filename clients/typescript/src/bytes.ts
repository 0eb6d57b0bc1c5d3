const encoder = new TextEncoder()

/** The UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text) as Uint8Array<ArrayBuffer>

/** Base64 with what browsers, edge runtimes, Deno, Bun and Node all have. */
export const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

/** Decodes base64 or base64url; empty if it is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    const plain = text.replaceAll('-', '+').replaceAll('_', '/')
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** A key for HMAC-SHA256. */
export const hmacKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
