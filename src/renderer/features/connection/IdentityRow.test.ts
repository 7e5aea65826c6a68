// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { type Failure, FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { connection } from '../../../../test/gallery/ssh-views'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import IdentityRow from './IdentityRow.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const fail = (failure: Failure) => (): never => {
  throw new FailureError(failure)
}

const select = () => {
  const found = window.find('select')
  return found instanceof HTMLSelectElement ? found : expect.fail()
}
async function open(changes: Parameters<typeof connection>[0] = {}, handlers: Partial<Handlers> = {}) {
  window = await mounted(() => h(IdentityRow, { account, connection: connection(changes) }), {
    'ssh.configure': () => connection(),
    'ssh.chooseIdentity': () => connection(),
    ...handlers,
  })
}
async function choose(value: string) {
  select().value = value
  select().dispatchEvent(new Event('change', { bubbles: true }))
  await window.settled()
}
const one = { account, machine: 'm-train' }

it('lists the found keys and the chosen key once', async () => {
  await open()
  const paths = () => [...select().options].map(({ value }) => value)
  expect(paths()).toEqual(['', '/home/anna/.ssh/lab-ed25519', '/home/anna/.ssh/id_rsa', '?'])
  window.unmount()
  await open({ identityFile: '/mnt/stick/key' })
  expect(paths()).toEqual([
    '',
    '/mnt/stick/key',
    '/home/anna/.ssh/lab-ed25519',
    '/home/anna/.ssh/id_rsa',
    '?',
  ])
  expect(select().value).toBe('/mnt/stick/key')
})

it('saves a key for the machine, or none', async () => {
  await open()
  await choose('/home/anna/.ssh/id_rsa')
  await choose('')
  expect(calls('ssh.configure')).toEqual([
    { ...one, identityFile: '/home/anna/.ssh/id_rsa' },
    { ...one, identityFile: null },
  ])
  expect(calls('ssh.chooseIdentity')).toEqual([])
})

it('opens the file dialog for another key and saves nothing itself', async () => {
  await open()
  await choose('?')
  expect([calls('ssh.chooseIdentity'), calls('ssh.configure')]).toEqual([[one], []])
})

it('offers the default only if the machine has its own key', async () => {
  await open()
  const label = t('ssh.reset', { what: t('machines.fields.identityFile') })
  await window.click(label)
  expect(calls('ssh.configure')).toEqual([{ ...one, identityFile: null }])
  window.unmount()
  await open({ settings: { user: null, port: null, identityFile: null } })
  expect(() => window.named(label)).toThrow()
})

it('shows why a key was rejected', async () => {
  const refused = { kind: 'local-fault', action: 'ssh.configure', reason: 'the disk is read-only' } as const
  await open({}, { 'ssh.configure': fail(refused) })
  await choose('')
  expect(window.text()).toContain('the disk is read-only')
})
