import type { ProblemName } from '../../http/problems.ts'
import type { Explanation } from './explanation.ts'
import { ofAsker } from './of-asker.tsx'
import { ofRequest } from './of-request.tsx'
import { ofServer } from './of-server.tsx'
import { ofState } from './of-state.tsx'

/** Every kind of problem; one without its explanation does not compile. */
export const explanations = (signaturePrefix: string): Record<ProblemName, Explanation> => ({
  ...ofRequest,
  ...ofAsker(signaturePrefix),
  ...ofState,
  ...ofServer,
})
