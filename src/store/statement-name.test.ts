import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { statementName } from './statement-name.ts'

const NAMES: [text: string, name: string][] = [
  ['select a, extract(epoch from row.due_at) from apps a join webhooks w on true', 'select apps'],
  ['insert into webhooks (id) select 1 on conflict (id) do update set id = 2', 'insert webhooks'],
  ['select id from staff for no key update of staff', 'select staff'],
  ['with gone as (delete from events where id = $1 returning id) select count(*) from gone', 'delete events'],
  [
    'with ids (id) as materialized (select $1) select from ids join lateral (select from mails) m on true',
    'select mails',
  ],
  ['-- update nothing\n  update only deliveries row set lease = $1', 'update deliveries'],
  ['/* claim deliveries */ update deliveries set lease = $1', 'claim deliveries'],
  ['select * from unnest($1::text[])', 'select'],
  ['commit', 'commit'],
]

describe('the name of a statement', () => {
  it('is its verb and table, or the comment at its beginning', () => {
    for (const [text, name] of NAMES) assert.equal(statementName(text), name, text)
  })
})
