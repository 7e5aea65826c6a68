import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { ActiveCost } from '#shared/bridge/cost'
import type { FleetChange } from '#shared/bridge/fleet'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { account } from '../../../test/fixtures/ssh-harness'
import { accountView, spending } from '../../../test/gallery/world'
import { createEmitter } from '#shared/emitter'
import { openSettings } from '../store/settings'
import { createWaste } from './index'

const year = 365 * 86_400

/** Opens the waste of one account with empty lists, while these resources are charged for. */
function open(costs: readonly ActiveCost[]) {
  const clock = fakeClock()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-waste-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const listed = createEmitter<FleetChange>()
  const never = createEmitter<never>().on
  const status = () => ({ asOf: clock.now(), reading: false, total: 0, failure: null, listed: true })
  const waste = createWaste({
    accounts: { view: () => ({ accounts: [accountView({ id: account })], selected: account }) },
    capabilities: { capability: () => 'yes', onChange: never },
    fleet: {
      snapshot: () => ({ account, revision: 1, machines: [], status: status() }),
      onChange: listed.on,
    },
    volumes: { snapshot: () => ({ account, revision: 1, volumes: [], status: status() }), onChange: never },
    bareMetal: { views: () => [], find: () => null, onChange: never },
    spending: {
      active: () => Promise.resolve([...costs]),
      view: () => ({ ...spending, account, usageAsOf: clock.now() }),
      onChange: never,
    },
    idle: { list: () => ({ machines: [], gpus: [], unmeasured: [] }), atWork: () => false, onChange: never },
    documents: openSettings(folder),
    clock,
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  onTestFinished(waste.close)
  return {
    clock,
    windowChanged: waste.windowChanged,
    view: () => waste.view(account),
    /** Reads the lists after these resources left them. */
    read(removes: string[] = []): void {
      listed.emit({ account, revision: 1, upserts: [], removes, status: status() })
      clock.advance(1)
    },
    found: async () => (await waste.handlers['waste.list']({ account })).items.map(({ id }) => id),
  }
}
const cost = (createdAt: number | null): ActiveCost => ({
  id: 'm1',
  name: 'train-01',
  type: 'vm',
  createdAt,
  currency: 'USD',
  perHour: 1,
  soFar: 1,
})

it('finds a resource that left its list before the clock was set back by a year', async () => {
  const { clock, read, found } = open([cost(1)])
  read(['m1'])
  await expect.poll(found).toEqual([])
  clock.set(clock.now() - year)
  clock.advance(120)
  read()
  await expect.poll(found).toEqual(['m1'])
})

it('finds an undated resource that was first billed before the clock was set back by a year', async () => {
  const { clock, read, found } = open([cost(null)])
  read()
  await expect.poll(found).toEqual([])
  clock.set(clock.now() - year)
  read()
  await expect.poll(found).toEqual([])
  clock.advance(180)
  read()
  await expect.poll(found).toEqual(['m1'])
})

it('gathers changes for longer without a window, and checks at once when a window opens', async () => {
  const { clock, read, found, view, windowChanged } = open([cost(1)])
  windowChanged(false)
  read()
  await new Promise(setImmediate)
  expect(view()).toBeUndefined()
  windowChanged(true)
  await expect.poll(found).toEqual(['m1'])
  windowChanged(false)
  const before = view()
  read(['m1'])
  clock.advance(29)
  await expect.poll(view).not.toBe(before)
  expect(await found()).toEqual([])
})
