import { buildValidator } from '../../http/validate.ts'
import { AppWebhookUpsert, HeaderCustom } from './schema.ts'

const validate = buildValidator({ HeaderCustom })({
  schema: AppWebhookUpsert,
  method: 'PUT',
  url: '/v3/appnotificaciones/:topic',
  httpPart: 'body',
})

/** What was written elsewhere than in a call, checked as the API checks a body; every fault is thrown at once. */
export function checkedUpsert(body: unknown): AppWebhookUpsert {
  const checked = validate(body) as { value: AppWebhookUpsert } | { error: Error }
  if ('error' in checked) throw checked.error
  return checked.value
}
