// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { type Failure, FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { connection } from '../../../../test/gallery/ssh-views'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { useSsh } from '../../stores/ssh'
import ConnectBar from './ConnectBar.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const fail = (failure: Failure) => (): never => {
  throw new FailureError(failure)
}

async function open(
  changes: { machine?: Parameters<typeof machine>[0]; connection?: Parameters<typeof connection>[0] },
  connect: Handlers['ssh.connect'] = () => ({
    terminal: 'GNOME Terminal',
    session: null,
    missing: null,
    failed: null,
  }),
) {
  const view = machine(changes.machine)
  window = await mounted(() => h(ConnectBar, { account, machine: view }), {
    'ssh.connection': () => connection(changes.connection),
    'ssh.connect': connect,
  })
  await window.settled()
}
const button = () => window.named(new RegExp(`^${t('ssh.connect')}`))
const one = { account, machine: 'm-train' }

it('opens a terminal and names it', async () => {
  await open({})
  await window.click(button())
  expect(calls('ssh.connect')).toEqual([one])
  expect(window.text()).toContain(t('ssh.opened', { machine: 'train-llama-01', terminal: 'GNOME Terminal' }))
})

it('reports once that the chosen terminal is missing, with a link to the settings', async () => {
  await open({}, () => ({ terminal: 'GNOME Terminal', session: null, missing: 'myterm', failed: null }))
  const words = t('ssh.missing', { missing: 'myterm', terminal: 'GNOME Terminal' })
  const said = () => window.text().split(words).length - 1
  await window.click(button())
  await window.click(button())
  expect([calls('ssh.connect').length, said()]).toEqual([2, 1])
  expect(window.text()).toContain(t('ssh.opened', { machine: 'train-llama-01', terminal: 'GNOME Terminal' }))
  await window.click(t('common.navigation.settings'))
  expect(window.router.currentRoute.value).toMatchObject({
    name: 'settings',
    query: { section: 'terminal' },
  })
})

it('opens the session inside if the terminal failed, with the reason', async () => {
  const failed = 'xterm: cannot open display'
  await open({}, () => ({ terminal: 'Wheelhouse', session: 's1', missing: null, failed }))
  await window.click(button())
  expect(window.text()).toContain(t('ssh.failed', { failed }))
  expect(window.router.currentRoute.value).toMatchObject({ name: 'terminals' })
})

it('shows why it cannot connect', async () => {
  await open({ machine: { address: null } })
  expect([
    button().hasAttribute('disabled'),
    window.text().includes(t('ssh.disabledReason.no-address')),
  ]).toEqual([true, true])
  window.unmount()
  await open({ machine: { status: 'stopped' } })
  expect([
    button().hasAttribute('disabled'),
    window.text().includes(t('ssh.disabledReason.stopped')),
  ]).toEqual([true, true])
})

it('shows the limits of a terminal without OpenSSH', async () => {
  await open({})
  expect(window.text()).not.toContain(t('terminal.ownClient.limits'))
  window.unmount()
  await open({ connection: { terminal: 'Wheelhouse', usesOwnClient: true } })
  expect(window.text()).toContain(t('terminal.ownClient.limits'))
  expect(button().hasAttribute('disabled')).toBe(false)
})

it('offers to connect anyway if the machine did not answer', async () => {
  await open({}, fail({ kind: 'timed-out', host: '203.0.113.21:22', seconds: 5 }))
  await window.click(button())
  await window.click(t('ssh.anyway'))
  expect(calls('ssh.connect')).toEqual([one, { ...one, anyway: true }])
  window.unmount()
  await open({}, fail({ kind: 'local-fault', action: 'ssh.connect', reason: 'no such program' }))
  await window.click(button())
  expect(window.text()).toContain('no such program')
  expect(() => window.named(t('ssh.anyway'))).toThrow()
})

it('leaves a changed host key to its own dialog', async () => {
  const changed = { host: '203.0.113.21', known: 'SHA256:a', offered: 'SHA256:b' }
  await open({}, fail({ kind: 'host-key-changed', ...changed }))
  await window.click(button())
  expect(window.all('[role=alert]')).toEqual([])
  expect(useSsh().changedHostKey?.failure).toMatchObject(changed)
})

it('reports a refused host key as a note until the next attempt', async () => {
  const refused = 'You didn’t confirm the host key of 203.0.113.21:22, so nothing was connected.'
  let answer: Handlers['ssh.connect'] = fail({ kind: 'host-key-refused', host: '203.0.113.21:22' })
  await open({}, (input) => answer(input))
  await window.click(button())
  expect(window.all('[role=alert]')).toEqual([])
  expect(window.text()).toContain(refused)
  expect(window.router.currentRoute.value.params['machine']).toBe('')
  answer = () => ({ terminal: 'xterm', session: null, missing: null, failed: null })
  await window.click(button())
  expect(window.text()).not.toContain(refused)
})

it('asks for an unknown user name before it connects', async () => {
  await open({ connection: { user: null } })
  await window.click(button())
  expect(calls('ssh.connect')).toEqual([])
  expect(useSsh().unnamed?.machine.id).toBe('m-train')
})

it('keeps the choice of an inside terminal while it asks for the user name', async () => {
  await open({ connection: { user: null, offersInside: true } })
  await window.click(t('terminal.open'))
  expect(useSsh().unnamed).toMatchObject({ machine: { id: 'm-train' }, choices: { inside: true } })
})
