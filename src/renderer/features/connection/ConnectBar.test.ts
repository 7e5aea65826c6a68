// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { type Failure, FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { connection } from '../../../../test/gallery/ssh-views'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { useSsh } from '../../stores/ssh'
import ConnectBar from './ConnectBar.vue'
import IdentityRow from './IdentityRow.vue'

let window: Mounted
afterEach(() => window.unmount())
const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const fail = (failure: Failure) => (): never => {
  throw new FailureError(failure)
}

describe('IdentityRow', () => {
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

  it('lists the keys that were found, and the chosen one once, wherever it lies', async () => {
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

  it('keeps a key for the machine, or none', async () => {
    await open()
    await choose('/home/anna/.ssh/id_rsa')
    await choose('')
    expect(calls('ssh.configure')).toEqual([
      { ...one, identityFile: '/home/anna/.ssh/id_rsa' },
      { ...one, identityFile: null },
    ])
    expect(calls('ssh.chooseIdentity')).toEqual([])
  })

  it('opens the dialog of files for another, and keeps nothing itself', async () => {
    await open()
    await choose('?')
    expect([calls('ssh.chooseIdentity'), calls('ssh.configure')]).toEqual([[one], []])
  })

  it('goes back to the default only where the machine has its own', async () => {
    await open()
    const label = t('ssh.reset', { what: t('machines.fields.identityFile') })
    await window.click(label)
    expect(calls('ssh.configure')).toEqual([{ ...one, identityFile: null }])
    window.unmount()
    await open({ settings: { user: null, port: null, identityFile: null } })
    expect(() => window.named(label)).toThrow()
  })

  it('says why a key was not accepted', async () => {
    const refused = { kind: 'local-fault', action: 'ssh.configure', reason: 'the disk is read-only' } as const
    await open({}, { 'ssh.configure': fail(refused) })
    await choose('')
    expect(window.text()).toContain('the disk is read-only')
  })
})

describe('ConnectBar', () => {
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
    await useSsh().load(account, view.id)
    await window.settled()
  }
  const button = () => window.named(new RegExp(`^${t('ssh.connect')}`))
  const one = { account, machine: 'm-train' }

  it('opens a terminal, and says which', async () => {
    await open({})
    await window.click(button())
    expect(calls('ssh.connect')).toEqual([one])
    expect(window.text()).toContain(
      t('ssh.opened', { machine: 'train-llama-01', terminal: 'GNOME Terminal' }),
    )
  })

  it('says once that another terminal was opened than the one that is chosen, and where to change that', async () => {
    await open({}, () => ({ terminal: 'GNOME Terminal', session: null, missing: 'myterm', failed: null }))
    const words = t('ssh.missing', { missing: 'myterm', terminal: 'GNOME Terminal' })
    const said = () => window.text().split(words).length - 1
    await window.click(button())
    await window.click(button())
    expect([calls('ssh.connect').length, said()]).toEqual([2, 1])
    expect(window.text()).toContain(
      t('ssh.opened', { machine: 'train-llama-01', terminal: 'GNOME Terminal' }),
    )
    await window.click(t('common.navigation.settings'))
    expect(window.router.currentRoute.value).toMatchObject({
      name: 'settings',
      query: { section: 'terminal' },
    })
  })

  it('shows the session inside where the terminal failed, and says why', async () => {
    const failed = 'xterm: cannot open display'
    await open({}, () => ({ terminal: 'Wheelhouse', session: 's1', missing: null, failed }))
    await window.click(button())
    expect(window.text()).toContain(t('ssh.failed', { failed }))
    expect(window.router.currentRoute.value).toMatchObject({ name: 'terminals' })
  })

  it('says why it cannot', async () => {
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

  it('says the limits of a terminal inside where no OpenSSH runs in it', async () => {
    await open({})
    expect(window.text()).not.toContain(t('terminal.ownClient.limits'))
    window.unmount()
    await open({ connection: { terminal: 'Wheelhouse', usesOwnClient: true } })
    expect(window.text()).toContain(t('terminal.ownClient.limits'))
    expect(button().hasAttribute('disabled')).toBe(false)
  })

  it('offers to connect all the same where only nothing answered', async () => {
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

  it('leaves a changed host key to its dialog', async () => {
    const changed = { host: '203.0.113.21', known: 'SHA256:a', offered: 'SHA256:b' }
    await open({}, fail({ kind: 'host-key-changed', ...changed }))
    await window.click(button())
    expect(window.all('[role=alert]')).toEqual([])
    expect(useSsh().changedHostKey?.failure).toMatchObject(changed)
  })

  it('says in a quiet line that a refused host key connected nothing, until the next attempt', async () => {
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

  it('asks for the user name before anything is opened where none is known', async () => {
    await open({ connection: { user: null } })
    await window.click(button())
    expect(calls('ssh.connect')).toEqual([])
    expect(useSsh().unnamed?.machine.id).toBe('m-train')
  })

  it('remembers while it asks for the user name that the terminal opens inside', async () => {
    await open({ connection: { user: null, offersInside: true } })
    await window.click(t('terminal.open'))
    expect(useSsh().unnamed).toMatchObject({ machine: { id: 'm-train' }, choices: { inside: true } })
  })
})
