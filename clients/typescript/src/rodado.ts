/** The client for the Rodado partner API, without dependencies. */
export type { Answer, Call, Entries, Match } from './call.ts'
export {
  type Attempt,
  type ClientConfig,
  createClient,
  createSiteClient,
  type Outcome,
  type SiteConfig,
} from './client.ts'
export { type Followed, type FollowOptions, followEvents } from './follow.ts'
export { idOf } from './links.ts'
export type { Client, Options, SiteClient } from './methods.ts'
export type { Operations, ProblemName, SiteOperations, Topic, WebhookEvent } from './operations.ts'
export { ConnectionError, ProblemError, RodadoError } from './problems.ts'
export { type EventHandler, expressReceiver, fastifyReceiver, fetchReceiver, honoReceiver } from './receivers.ts'
export type * from './schema.ts'
export { createSigner, type Moment, type Signable, type Signer } from './sign.ts'
export {
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookFault,
  type WebhookMessage,
} from './webhook.ts'
