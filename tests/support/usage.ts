import sql from 'sql-template-tag'
import type { Milestone } from '../../src/apps/usage-store.ts'
import type { TestApp, TestServer } from './server.ts'
import { until } from './until.ts'

/** Waits until a milestone of an app is stored, which happens after the response. */
export async function untilRecorded(
  { usage, store }: TestServer,
  { app }: Pick<TestApp, 'app'>,
  hecho: Milestone,
): Promise<void> {
  await until(async () => {
    await usage.flush()
    const [row] = await store.query(sql`select from app_firsts where app_id = ${app.id} and hecho = ${hecho}`)
    return row !== undefined
  })
}
