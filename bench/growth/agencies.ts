import sql from 'sql-template-tag'
import { listAgenciasForStaff } from '../../src/resources/agencias/staff.ts'
import { TIME_ZONE } from '../usual.ts'
import { openField } from './ground.ts'
import type { Grown } from './series.ts'

/** An app's own, whatever others there are. */
const OWN = 100
/** So many are made by one statement, within the time that it has. */
const PART = 20_000
const mailOf = (turn: number) => `agencia${turn}@agencias.example`

/** One agency, the list of the app's hundred, its page of inquiries, and what staff looks up, among more and more. */
export const agencies = (sizes: number[]): Grown => ({
  name: 'agencies',
  title: 'agencies',
  sizes,
  async begin() {
    const { store, appId, getting, each, yardstick, tidy, end } = await openField()
    let there = 0
    return {
      async growTo(size) {
        for (; there < size; there = Math.min(there + PART, size))
          await store.query(sql`
            with made as (
              insert into agencias (modo, admin_mail, nombre)
              select 'produccion', 'agencia' || turn || '@agencias.example', 'Agencia ' || turn
              from generate_series(${there + 1}::int, ${Math.min(there + PART, size)}::int) turn returning id, admin_mail
            ), people as (
              insert into accounts (modo, email, nombre) select 'produccion', admin_mail, 'Ana' from made returning id, email
            ), work as (
              insert into operadores (agencia_id, account_id, rol)
              select made.id, people.id, 'administrador' from made join people on people.email = made.admin_mail
            )
            insert into asociaciones (app_id, agencia_id, editar)
            select ${appId}::int, id, true from made where ${there} = 0 order by id limit ${OWN}`)
        await tidy()
      },
      async operations() {
        const own = Array.from({ length: OWN }, (_, at) => mailOf(at + 1))
        return [
          { title: 'GET /v3/agencias/{adminMail}', run: await getting(own.map((mail) => `/v3/agencias/${mail}`)) },
          { title: 'GET /v3/consultas/{adminMail}', run: await getting(own.map((mail) => `/v3/consultas/${mail}`)) },
          { title: `GET /v3/agencias, ${OWN} of the app`, run: await getting(['/v3/agencias']) },
          {
            title: 'staff looks for words of a name',
            run: () => each(() => listAgenciasForStaff(store, { q: 'agencia 77' }, TIME_ZONE, { limit: 50 })),
          },
          {
            title: 'staff looks for what no agency has',
            run: () => each(() => listAgenciasForStaff(store, { q: 'zeta' }, TIME_ZONE, { limit: 50 })),
          },
        ]
      },
      yardstick,
      end,
    }
  },
})
