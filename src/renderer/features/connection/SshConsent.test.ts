// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { SshConsents } from '#shared/bridge/ssh'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import SshConsent from './SshConsent.vue'
import SshUse from './SshUse.vue'

let window: Mounted
afterEach(() => window.unmount())

const none: SshConsents = { account, everyMachine: {}, machines: {} }
const asked = (consents: SshConsents = none) => ({
  'ssh.consents': () => consents,
  'ssh.setConsents': () => consents,
})
const open = async (consents?: SshConsents): Promise<void> => {
  window = await mounted(
    () => h(SshConsent, { account, machine: machine(), purpose: 'services' }),
    asked(consents),
  )
}
const boxes = () => window.all('[role=checkbox]')
const ticked = () => boxes().map((box) => box.getAttribute('aria-checked'))
const sent = () => window.main.calls.flatMap(([name, input]) => (name === 'ssh.setConsents' ? [input] : []))

it('the first tab that needs SSH offers all purposes with one answer', async () => {
  await open()
  expect(ticked()).toEqual(['true', 'true', 'true', 'true'])
  await window.click(boxes()[2] ?? expect.fail())
  await window.click(t('sshConsent.give'))
  const answers = { gpu: true, services: true, files: false, startup: true }
  expect(sent()).toEqual([{ account, machine: null, answers }])
})

it('a tab whose purpose was refused offers it beside the earlier answers', async () => {
  await open({ ...none, everyMachine: { gpu: false, services: false, files: true } })
  expect(ticked()).toEqual(['false', 'true', 'true', 'true'])
  await window.click(t('sshConsent.giveHere'))
  expect(sent()).toEqual([{ account, machine: 'm-train', answers: { services: true, startup: true } }])
})

it('an earlier answer is sent only if the user changes it', async () => {
  await open({ ...none, everyMachine: { gpu: false }, machines: { 'm-train': { gpu: true } } })
  expect(ticked()).toEqual(['true', 'true', 'true', 'true'])
  await window.click(t('sshConsent.give'))
  await window.click(boxes()[0] ?? expect.fail())
  await window.click(t('sshConsent.giveHere'))
  expect(sent()).toEqual([
    { account, machine: null, answers: { services: true, files: true, startup: true } },
    { account, machine: 'm-train', answers: { gpu: false, services: true, files: true, startup: true } },
  ])
})

it('an exception for the machine is shown and stays', async () => {
  await open({ ...none, everyMachine: { gpu: true }, machines: { 'm-train': { gpu: false } } })
  expect(ticked()).toEqual(['false', 'true', 'true', 'true'])
  await window.click(t('sshConsent.giveHere'))
  expect(sent()).toEqual([
    { account, machine: 'm-train', answers: { services: true, files: true, startup: true } },
  ])
})

it('the buttons are disabled without a purpose', async () => {
  await open()
  for (const box of boxes()) await window.click(box)
  await window.click(t('sshConsent.give'))
  await window.click(t('sshConsent.giveHere'))
  expect(sent()).toEqual([])
})

it('a machine that the user turned off is not asked about the account again', async () => {
  await open({ ...none, everyMachine: { services: true }, machines: { 'm-train': { services: false } } })
  expect(boxes()).toEqual([])
  await window.click(t('sshConsent.off.turnOn'))
  expect(sent()).toEqual([{ account, machine: 'm-train', answers: { services: true } }])
})

it('a machine shows and changes its own answers', async () => {
  const consents = { ...none, everyMachine: { gpu: true }, machines: { 'm-train': { files: true } } }
  window = await mounted(() => h(SshUse, { account, machine: 'm-train' }), asked(consents))
  expect(ticked()).toEqual(['true', 'false', 'true', 'false', 'false', 'false'])
  await window.click(boxes()[0] ?? expect.fail())
  expect(sent()).toEqual([{ account, machine: 'm-train', answers: { gpu: false } }])
})

it('the readings of all machines are deleted only after a question', async () => {
  const consents = { ...none, everyMachine: { gpu: true } }
  window = await mounted(() => h(SshUse, { account, machine: null }), asked(consents))
  await window.click(boxes()[1] ?? expect.fail())
  expect(sent()).toEqual([{ account, machine: null, answers: { services: true } }])
  await window.click(boxes()[0] ?? expect.fail())
  expect(sent()).toHaveLength(1)
  await window.submit()
  expect(sent()[1]).toEqual({ account, machine: null, answers: { gpu: false } })
  expect(window.all('dialog')).toEqual([])
})
