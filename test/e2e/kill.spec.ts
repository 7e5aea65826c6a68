import { once } from 'node:events'
import type { Page } from '@playwright/test'
import { createRandom } from '../../src/sandbox/random'
import { deep } from '../fixtures/counts'
import { control, stateOf } from '../fixtures/sandbox-control'
import { expect, test } from './fixtures'
import type { Application } from './support/application'
import { askBridge, callBridge, selectedAccount } from './support/bridge'
import { publicKey } from './support/public-key'
import { chooseToConnect, connectWithToken, machineNames } from './support/window'

const kills = deep(2, 12)
const resource = 'kept-through-kills'
const settling = { timeout: 60_000 }

/** Confirmed changes before the last kill, and pending ones. */
interface Written {
  setting: number
  note: number
  /** Names of machines: all ordered ones, and those with an id from the service. */
  readonly ordered: Set<string>
  readonly created: Set<string>
}

const orderOf = async (page: Page, account: string) => {
  const flavors = await askBridge(page, 'catalog.flavors', { account, kind: 'machine' })
  const images = await askBridge(page, 'catalog.images', { account, kind: 'machine' })
  const found = flavors.items
    .filter(({ inStock }) => inStock === true)
    .flatMap((flavor) =>
      images.items
        .filter(({ region }) => region.id === flavor.region.id)
        .map((image) => ({ flavor_id: flavor.id, image_id: image.id })),
    )[0]
  if (!found) throw new Error('nothing can be ordered')
  return { ...found, ssh_key: { name: 'kills', public_key: publicKey } }
}

/** Changes settings and notes and creates machines in a loop, until the application ends. */
async function work(page: Page, account: string, written: Written, name: string): Promise<void> {
  const order = await orderOf(page, account)
  const forever = async (step: () => Promise<void>): Promise<never> => {
    for (;;) await step()
  }
  await Promise.all([
    forever(async () => {
      await askBridge(page, 'settings.change', { hiddenColumns: [String(written.setting + 1)] })
      written.setting += 1
    }),
    forever(async () => {
      const note = { text: String(written.note + 1), tags: [] }
      await askBridge(page, 'notes.change', { account, resource, note })
      written.note += 1
    }),
    (async () => {
      written.ordered.add(name)
      const machine = { ...order, name }
      const sent = { account, request: crypto.randomUUID(), again: [], identityFile: null, machine }
      const answer = await callBridge(page, 'machine.create', sent)
      if (answer.ok) written.created.add(name)
    })(),
  ])
}

/** The next start finds the confirmed changes, or the one pending change. */
async function expectKept({ window }: Application, account: string, written: Written): Promise<void> {
  await expect
    .poll(() => askBridge(window, 'store.state', {}), settling)
    .toEqual({ kind: 'open', quarantined: null })
  const { hiddenColumns = ['0'] } = await askBridge(window, 'settings.read', {})
  const setting = Number(hiddenColumns[0])
  expect([written.setting, written.setting + 1]).toContain(setting)
  const notes = await askBridge(window, 'notes.list', { account })
  const note = Number(notes[resource]?.text ?? 0)
  expect([written.note, written.note + 1]).toContain(note)
  Object.assign(written, { setting, note })
}

test('an application killed at any moment restarts without losing confirmed data or repeating a request', async ({
  start,
  service,
}) => {
  test.setTimeout(60_000 + kills * 30_000)
  const random = createRandom('kills')
  const written: Written = { setting: 0, note: 0, ordered: new Set(), created: new Set() }
  let running = await start()
  await chooseToConnect(running.window)
  await connectWithToken(running.window, service)
  await machineNames(running.window)
  const account = await selectedAccount(running.window)
  for (let kill = 0; kill < kills; kill += 1) {
    await expectKept(running, account, written)
    // New statements, so that the ledger reads during the kill.
    await control(service, 'POST', '/clock', { advance: 7200 })
    await control(service, 'PUT', '/balance', { USD: 500 })
    const child = running.electron.process()
    const ended = once(child, 'exit')
    const working = work(running.window, account, written, `kill-${String(kill)}`).catch(() => undefined)
    const timer = setTimeout(() => child.kill('SIGKILL'), random.integer(50, 2_500))
    await ended
    clearTimeout(timer)
    await working
    expect(child.signalCode).toBe('SIGKILL')
    running = await start()
  }
  await expectKept(running, account, written)
  expect(written.setting + written.note).toBeGreaterThan(kills)
  const names = (await stateOf(service)).machines.map(({ name }) => name)
  for (const name of written.ordered) {
    const count = names.filter((one) => one === name).length
    expect([written.created.has(name) ? 1 : 0, 1], name).toContain(count)
  }
  const ledger = () => askBridge(running.window, 'ledger.state', { account })
  await expect.poll(async () => (await ledger()).complete, settling).toBe(true)
  await expect
    .poll(async () => {
      const { known, total } = await ledger()
      return known === total
    }, settling)
    .toBe(true)
})
