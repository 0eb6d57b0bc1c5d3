import sql from 'sql-template-tag'
import type { Db } from '../../src/store/db.ts'

export type Who = 'developer' | 'staff'

export interface Page {
  title: string
  who: Who
  path: string
}

/** Every list that a million deliveries make long, every page of one of them, and what else stands in the same places. */
export async function pagesOf(db: Db, appKey: string): Promise<Page[]> {
  const [one] = await db.query<{ id: string; mail: string; topic: string; failed: string; middle: string }>(sql`
    select e.id, g.admin_mail as mail, e.topic,
      (select max(d.id) from deliveries d where d.app_id = a.id and d.estado = 'fallida') as failed,
      (select id from deliveries order by id offset (select count(*) / 2 from deliveries) limit 1) as middle
    from events e join agencias g on g.id = e.agencia_id join apps a on a.id = e.app_id
    where a.app_key = ${appKey} order by e.id desc limit 1 offset 5000`)
  if (!one) throw new Error('There are no deliveries to look at.')
  const portal = (title: string, path: string): Page => ({
    title: `portal: ${title}`,
    who: 'developer',
    path: `/portal/${appKey}${path}`,
  })
  const console = (title: string, path: string): Page => ({
    title: `console: ${title}`,
    who: 'staff',
    path: `/consola${path}`,
  })
  const { id, mail, topic, failed, middle } = one
  return [
    portal('overview', ''),
    portal('way to production', '/puesta-en-marcha'),
    portal('usage by hour', '/uso'),
    portal('usage by day', '/uso?por=dia'),
    portal('webhooks', '/webhooks'),
    portal('a webhook', `/webhooks/${topic}`),
    portal('deliveries', '/entregas'),
    portal('deliveries, in the middle', `/entregas?antes=${middle}`),
    portal('deliveries that failed', '/entregas?estado=fallida'),
    portal('deliveries of a topic', `/entregas?topic=${topic}`),
    portal('deliveries of an agency', `/entregas?agencia=${mail}`),
    portal('deliveries of an inquiry', `/entregas?sid=${id}`),
    portal('a delivery', `/entregas/${id}`),
    portal('a delivery that failed', `/entregas/${failed}`),
    portal('events', '/eventos'),
    portal('an event', `/eventos/${id}`),
    portal('keys', '/claves'),
    portal('team', '/equipo'),
    portal('try the API', '/probar'),
    console('overview', ''),
    console('apps', '/apps'),
    console('an app', `/apps/${appKey}`),
    console('agencies', '/agencias'),
    console('inquiries', '/consultas'),
    console('listings', '/publicaciones'),
    console('deliveries', '/entregas'),
    console('deliveries that failed', '/entregas?estado=fallida'),
    console('deliveries, in the middle', `/entregas?antes=${middle}`),
    console('a delivery', `/entregas/${id}`),
    console('letters', '/correos'),
    console('audit log', '/auditoria'),
    console('staff', '/personal'),
    console('sites', '/sitios'),
    console('erasures', '/supresiones'),
  ]
}
