import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depsOf, emailsTo, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { insertConsulta } from '../../../../tests/support/consulta.ts'
import { fill, follow, isTitled, press, refused, waitForNotice, withPages } from '../../../../tests/support/pages.ts'
import { PASSWORD, visitor } from '../../../../tests/support/visitor.ts'
import { operadoresOf } from '../../../resources/agencias/read.ts'

const { server, onPage } = withPages()

test('somebody is asked by mail, joins, answers and is removed; the agency is offered, and the offer withdrawn', async () => {
  const { mail, agencia } = await makeAgencia(depsOf(server), (await server.newApp()).app)
  const [seller, heir] = [newMail('eva'), newMail('luz')]
  const administrator = await visitor(server).enter(mail)
  const mails = async () => (await operadoresOf(server.store, agencia.id)).map(({ email }) => email).sort()
  const linkTo = async (email: string) =>
    /\/colaborar\/[\w-]{43}/.exec((await emailsTo(server, email)).at(-1)?.text ?? '')?.[0] ?? ''

  await onPage('colaboradores-invitar', { as: administrator }, async (page) => {
    await page.goto('/cuenta/colaboradores')
    await page.getByText('Invitar a un colaborador').click()
    await fill(page, { 'Correo de la persona': 'nadie' })
    await press(page, 'Enviar la invitación')
    await page.getByRole('alert').waitFor()
    await assertAccessible(page)
    await fill(page, { 'Correo de la persona': seller })
    await press(page, 'Enviar la invitación')
    await waitForNotice(page, 'Le enviamos un correo')
  })

  await insertConsulta(server.store, { agencia, operador: seller })
  await onPage('colaboradores-sumarse', {}, async (page) => {
    await page.goto(await linkTo(seller))
    await isTitled(page, 'Colaborar en Automotores del Sur')
    await assertAccessible(page)
    await fill(page, { Nombre: 'Eva', Apellido: 'Luna', 'Elija una contraseña': 'corta' })
    await press(page, 'Aceptar y entrar')
    await refused(page, 'al menos 8')
    await fill(page, { 'Elija una contraseña': PASSWORD })
    await press(page, 'Aceptar y entrar')
    await waitForNotice(page, 'ya colabora en la agencia')
    await follow(page, 'Lucía Ferreyra')
    await press(page, 'Contactada')
    await waitForNotice(page, 'Se guardó el estado')
    await page.getByText('Estado: Contactada').waitFor()
  })
  assert.deepEqual(await mails(), [mail, seller].sort())

  await onPage('colaboradores-quitar', { as: administrator }, async (page) => {
    await page.goto('/cuenta/colaboradores')
    await follow(page, 'Quitar a Eva Luna')
    await isTitled(page, '¿Quitar a Eva Luna?')
    await assertAccessible(page)
    await press(page, 'Sí, quitar')
    await waitForNotice(page, 'Se quitó a esa persona de la agencia')
    assert.deepEqual(await mails(), [mail])

    await follow(page, 'Cambiar el administrador')
    await fill(page, { 'Correo de la persona': heir, 'Su contraseña': 'otra cosa' })
    await press(page, 'Enviar el enlace')
    await refused(page, 'No es su contraseña')
    await fill(page, { 'Su contraseña': PASSWORD })
    await press(page, 'Enviar el enlace')
    await waitForNotice(page, 'Le enviamos el enlace')
    await page.getByText('Invitado a administrar la agencia').waitFor()
    assert.deepEqual(await mails(), [mail], 'nothing changes until it is accepted')
    await follow(page, `Retirar la invitación a ${heir}`)
    await isTitled(page, `¿Retirar la invitación a ${heir}?`)
    await assertAccessible(page)
    await press(page, 'Sí, retirar')
    await waitForNotice(page, 'Se retiró la invitación')
    assert.equal(await page.getByText(heir).count(), 0)
  })
})
