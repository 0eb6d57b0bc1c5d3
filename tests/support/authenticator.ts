import { generateKeyPairSync, hash, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Ceremony, CeremonyAnswer } from '../../src/accounts/passkeys.ts'

const USER_PRESENT_AND_VERIFIED = 0x45 // WebAuthn 3, 6.1: UP, UV and attested credential data
const ES256 = -7

/** What a browser answers to the offer of a passkey, without attestation. */
export function answerRegistration({ options, token }: Ceremony, origin: string): CeremonyAnswer {
  const { challenge } = JSON.parse(options) as { challenge: string }
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const point = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'))
  // RFC 9052, 7: kty EC2, alg, crv P-256.
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, ES256],
    [-1, 1],
    [-2, point(x)],
    [-3, point(y)],
  ])
  const id = randomBytes(16)
  const authData = Buffer.concat([
    hash('sha256', new URL(origin).hostname, 'buffer'),
    Buffer.from([USER_PRESENT_AND_VERIFIED]),
    Buffer.alloc(4 + 16), // counter and AAGUID
    Buffer.from([0, id.length]),
    id,
    isoCBOR.encode(key),
  ])
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)],
  ])
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin })
  const response = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    },
    clientExtensionResults: {},
  }
  return { response: JSON.stringify(response), token }
}
