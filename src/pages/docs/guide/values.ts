import { fault, invalid, problemBody } from '../../../http/problems.ts'
import { currentLocale } from '../../../i18n/locale.ts'
import { TEST_DOMAIN } from '../../../mail/email.ts'
import type { Names } from '../examples.ts'
import { deliveryProof, PROOF_KEY, PROOF_SECRET, signedText, signingProofs } from './proofs.ts'

export function textValues({ signaturePrefix }: Names) {
  const [proofWithoutBody = '', proofWithBody = ''] = signingProofs(signaturePrefix)
  return {
    signaturePrefix,
    testDomain: TEST_DOMAIN,
    proofKey: PROOF_KEY,
    proofSecret: PROOF_SECRET,
    signedText: signedText(signaturePrefix),
    proofWithoutBody,
    proofWithBody,
    deliveryProof: deliveryProof(),
  }
}

const PROBLEM = invalid({ Telefono: [fault('muy-corto', 'Debe tener al menos 8 caracteres.')] })

export const sampleProblem = ({ publicUrl }: Names) =>
  problemBody(PROBLEM, publicUrl, '/v3/agencias', { locale: currentLocale() })
