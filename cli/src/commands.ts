import type { Command } from './command.ts'
import type { PartnerConfig } from './config.ts'
import { type CommandEntries, type CommandEntry, helpText } from './program.ts'
import { TOPICS } from './topics.ts'

/** A command whose usage is a text in help/; some share a part. */
const entry = (
  name: string,
  summary: string,
  load: () => Promise<{ run: Command<PartnerConfig> }>,
): [string, CommandEntry<PartnerConfig>] => [
  name,
  {
    summary,
    load,
    help: () =>
      helpText(name)
        .replace('{{partner}}\n', () => helpText('partner'))
        .replace('{{topics}}', TOPICS.join(', ')),
  },
]

/** The commands for partners, which a server's own command line has too. */
export const PARTNER_COMMANDS: CommandEntries<PartnerConfig> = Object.fromEntries([
  entry('call', 'send a signed request: call GET /v3/colores', () => import('./call.ts')),
  entry(
    'listen',
    'receive webhooks on this machine: verified, shown, forwarded to your program',
    () => import('./listen.ts'),
  ),
  entry('trigger', 'send a sample event to your webhook: trigger consulta.recibida', () => import('./trigger.ts')),
  entry('events', 'show the events of an app, and follow new ones: events --follow', () => import('./events.ts')),
  entry('certify', 'test a receiver with retries, duplicates and forgeries', () => import('./certify.ts')),
  entry(
    'mcp',
    'an MCP server: lets an AI assistant read your agencies, inquiries, listings and deliveries',
    () => import('./mcp.ts'),
  ),
  entry('bestmatch', 'map your own values to the catalogues', () => import('./bestmatch.ts')),
])
