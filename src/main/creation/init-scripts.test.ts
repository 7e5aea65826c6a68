import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FleetChange } from '#shared/bridge/fleet'
import { FailureError } from '#shared/failure'
import { createEmitter } from '#shared/emitter'
import { templateLimits } from '#shared/bridge/template'
import { connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openCreation, when } from '../../../test/fixtures/creation-harness'
import { orderFor } from '../../../test/fixtures/creation-order'
import { eagerClock, fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { installation } from '../../../test/fixtures/private-documents'
import { must } from '../../../test/fixtures/service-client'
import { yieldToEventLoop } from '../core/clock'
import type { GoneMachines } from '../fleet/index'
import { machineView } from '../fleet/machine-view'
import { documentTable } from '../store/document-table'
import type { Sections } from '../store/settings'
import { createInitScripts, scriptLimits } from './init-scripts'

const account = 'abcdefghijkl'

function open(documents: Sections) {
  const gone = createEmitter<GoneMachines>()
  const changes = createEmitter<FleetChange>()
  const followed = new Set<string>()
  let asOf = 0
  const scripts = createInitScripts({
    documents,
    fleet: { view: () => undefined, onChange: changes.on, onGone: gone.on },
    // The service knows no machine.
    machine: () => Promise.reject(new FailureError({ kind: 'refused-by-service', message: '', status: 404 })),
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  scripts.dropGone((_, id) => followed.has(id))
  return {
    ...scripts,
    followed,
    /** A complete list without machines is read. */
    async lists() {
      asOf += 1
      const status = { asOf, reading: false, total: 0, failure: null }
      changes.emit({ account, revision: asOf, upserts: [], removes: [], status })
      await yieldToEventLoop()
    },
    goes: (id: string) => gone.emit({ account, machines: [machineView({ id, name: id })], expected: true }),
    async store(id: string, script: string) {
      await scripts.add(account, `c-${id}`, script)
      await scripts.locate(`c-${id}`, id)
    },
  }
}

async function opened() {
  const { start } = installation()
  const { documents, open: openStore } = start()
  await openStore()
  return open(documents)
}

describe('the init scripts of created machines', () => {
  it('are known for the machines created here only, and an empty one is not unknown', async () => {
    const { store, scriptOf } = await opened()
    await store('m1', 'apt-get update')
    await store('m2', '')
    expect(await scriptOf(account, 'm1')).toBe('apt-get update')
    expect(await scriptOf(account, 'm2')).toBe('')
    expect(await scriptOf(account, 'm3')).toBeNull()
    expect(await scriptOf('another12345', 'm1')).toBeNull()
  })

  it('are limited in length, number and size together, the oldest first', async () => {
    const { store, scriptOf } = open(flakySettings())
    const largest = 'x'.repeat(templateLimits.script)
    const fitting = scriptLimits.characters / templateLimits.script
    await store('long', `${largest}x`)
    expect(await scriptOf(account, 'long')).toBeNull()
    for (let index = 0; index <= fitting; index += 1) await store(`m${String(index)}`, largest)
    expect(await scriptOf(account, 'm0')).toBeNull()
    expect(await scriptOf(account, 'm1')).toBe(largest)
    for (let index = 0; index < scriptLimits.scripts; index += 1) await store(`n${String(index)}`, '')
    expect(await scriptOf(account, `m${String(fitting)}`)).toBeNull()
    expect(await scriptOf(account, 'n0')).toBe('')
  })

  it('of open creations are kept at a start, and dropped if the creation is over without a machine', async () => {
    const { add, locate, keepOpen, dropOpen, scriptOf, store } = await opened()
    await store('m1', 'one')
    await add(account, 'open', 'two')
    await add(account, 'over', 'three')
    await keepOpen(['open'])
    await dropOpen('c-m1')
    await locate('open', 'm2')
    await locate('over', 'm3')
    expect(await scriptOf(account, 'm1')).toBe('one')
    expect(await scriptOf(account, 'm2')).toBe('two')
    expect(await scriptOf(account, 'm3')).toBeNull()
  })

  it('are deleted with their machine even if the store opens later', async () => {
    const { start } = installation()
    const first = start()
    await first.open()
    const before = open(first.documents)
    await before.store('m1', 'one')
    await before.store('m2', 'two')
    await first.quit()
    const second = start()
    const late = open(second.documents)
    late.goes('m1')
    const unread = late.scriptOf(account, 'm2')
    await second.open()
    expect(await unread).toBe('two')
    expect(await late.scriptOf(account, 'm1')).toBeNull()
  })
})

describe('the init script of a machine that is not listed', () => {
  it('is kept while its creation is followed, and dropped afterwards', async () => {
    const { followed, lists, scriptOf, store } = await opened()
    await store('m1', 'one')
    followed.add('m1')
    for (let list = 0; list < 3; list += 1) await lists()
    expect(await scriptOf(account, 'm1')).toBe('one')
    followed.clear()
    for (let list = 0; list < 2; list += 1) await lists()
    expect(await scriptOf(account, 'm1')).toBeNull()
  })
})

describe('a creation', () => {
  const creation = async () => {
    const { start, plainText } = installation()
    const sandbox = await runSandbox()
    const office = await setUp()
    const { id } = await connectWithToken(office, sandbox)
    const { flavors, images } = office.accounts.service(id)
    const order = orderFor(await flavors.list(), await images.list(), 'train-1')
    const first = start()
    await first.open()
    const initScripts = open(first.documents)
    // The application ends before the first look.
    const clock = fakeClock()
    const bench = await openCreation({ ...first, accounts: office.accounts, initScripts, clock })
    const machine = { ...order, init_script: 'echo canary-script' }
    const wish = { request: randomUUID(), account: id, again: [], identityFile: null, machine }
    return { bench, first, initScripts, plainText, sandbox, start, wish }
  }

  it('whose answer was lost has its script once the machine is found, also after a restart', async () => {
    const { bench, first, plainText, sandbox, start, wish } = await creation()
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const { id, state } = await bench.harness.handlers['machine.create'](wish)
    expect(state.kind).toBe('looking')
    await first.quit()
    expect(plainText()).not.toContain('canary')
    const second = start()
    await second.open()
    const again = open(second.documents)
    const harness = await bench.restart({ ...second, initScripts: again, clock: eagerClock() })
    const found = await when(harness, wish.account, id, 'created')
    const machine = 'machine' in found.state ? found.state.machine : ''
    expect(await again.scriptOf(wish.account, machine)).toBe('echo canary-script')
    expect(harness.isFollowed(wish.account, machine)).toBe(true)
    await harness.handlers['creation.dismiss']({ account: wish.account, creation: id })
    expect(harness.isFollowed(wish.account, machine)).toBe(false)
  })

  it('that was refused or dismissed leaves no script', async () => {
    const { bench, first, sandbox, wish } = await creation()
    const { 'machine.create': create, 'creation.dismiss': dismiss } = bench.harness.handlers
    const stored = () => documentTable(must(first.store.file())).read('init-scripts')
    await expect(create({ ...wish, machine: { ...wish.machine, image_id: 'nowhere' } })).rejects.toThrow()
    expect(stored()).toEqual({ scripts: [] })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const { id } = await create(wish)
    await dismiss({ account: wish.account, creation: id })
    expect(stored()).toEqual({ scripts: [] })
  })
})
