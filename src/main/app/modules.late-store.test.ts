import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Creation, MachineDraft } from '#shared/bridge/creation'
import type { SshLink } from '#shared/bridge/ssh-link'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { installation } from '../../../test/fixtures/private-documents'
import { createAlerts } from '../alerts/index'
import { createEmitter } from '#shared/emitter'
import { openDrafts } from '../creation/drafts'
import type { GoneMachines } from '../fleet/index'
import { machineView } from '../fleet/machine-view'
import { openStops } from '../ssh/machines/stopped-machines'
import { createNotes } from '../notes/index'
import type { Sections } from '../store/settings'

/*
 * Data that ends before the store opens is not in memory yet, and must not return when the store is read.
 */
const account = 'abcdefghijkl'
const ignore = () => undefined

/** Stores data with a module, runs `ended` on a start whose store opens late, and reads the data again. */
async function found<Opened, Value>(
  open: (documents: Sections) => Opened,
  keep: (opened: Opened) => unknown,
  ended: (opened: Opened) => unknown,
  read: (opened: Opened) => Value,
): Promise<Value> {
  const { start } = installation()
  const first = start()
  await first.open()
  await keep(open(first.documents))
  await first.quit()
  const second = start()
  const opened = open(second.documents)
  await ended(opened)
  await second.open()
  await second.quit()
  const third = start()
  const again = open(third.documents)
  await third.open()
  return read(again)
}

it('notes of a deleted machine are deleted even if the store opens later', async () => {
  const gone = createEmitter<GoneMachines>()
  const note = { text: 'for the paper', tags: [] }
  const notes = await found(
    (documents) =>
      createNotes({
        documents,
        fleet: { view: () => undefined, onChange: () => () => undefined, onGone: gone.on },
        machine: () => Promise.resolve({}),
        report: ignore,
      }),
    async ({ handlers }) => {
      for (const resource of ['m1', 'm2']) await handlers['notes.change']({ account, resource, note })
    },
    () => gone.emit({ account, machines: [machineView({ id: 'm1', name: 'm1' })], expected: true }),
    ({ handlers }) => handlers['notes.list']({ account }),
  )
  expect(notes).toEqual({ m2: note })
})

it('a successful connection clears an earlier stop of telemetry', async () => {
  const connected: SshLink = { kind: 'connected' }
  const refused: SshLink = {
    kind: 'stopped',
    stop: { kind: 'key-refused', user: 'root', host: 'gpu.example.com', keys: [] },
  }
  const stop = await found(
    (documents) => openStops(documents, ignore),
    (stops) => stops.follow(account, 'm1', 'place', refused),
    (stops) => stops.follow(account, 'm1', 'place', connected),
    (stops) => stops.of(account, 'm1', 'place'),
  )
  expect(stop).toBeUndefined()
})

const draftNamed = (name: string, request: string = randomUUID()): MachineDraft => ({
  request,
  name,
  region: null,
  flavor: null,
  boot: 'image',
  image: null,
  volume: '',
  key: 'pasted',
  keyFile: null,
  pastedKey: '',
  initScript: '',
})

it('a draft that was replaced before the store opened is set aside', async () => {
  const [typed, like, last] = ['typed', 'like-train-01', 'last'].map((name) => draftNamed(name))
  if (!typed || !like || !last) expect.fail()
  const drafts = await found(
    openDrafts,
    (kept) => kept.keep(account, 'machine', typed),
    (kept) => kept.keep(account, 'machine', like),
    (kept) => kept,
  )
  const both = () => [drafts.read(account, 'machine'), drafts.lastReplaced(account, 'machine')]
  expect(both()).toEqual([like, typed])
  // A resumed draft swaps places with the current one.
  await drafts.keep(account, 'machine', typed)
  expect(both()).toEqual([typed, like])
  // An empty form replaces the draft, and is not set aside itself.
  await drafts.keep(account, 'machine', draftNamed(''))
  await drafts.keep(account, 'machine', last)
  expect(both()).toEqual([last, typed])
  await drafts.forgetAccount(account)
  expect(both()).toEqual([null, null])
})

it('a draft is deleted when its machine has been created', async () => {
  const request = randomUUID()
  const draft = draftNamed('trainer', request)
  const created: Creation = {
    id: 'c1',
    request,
    account,
    kind: 'machine',
    name: 'trainer',
    flavor: 'f1',
    sentAt: 1,
    cause: null,
    state: { kind: 'running', machine: 'm1', found: false, ssh: 'unchecked', stop: null },
    connect: 'none',
    services: 'none',
    usualSeconds: null,
    link: null,
  }
  const kept = (settled: Creation) =>
    found(
      openDrafts,
      (drafts) => drafts.keep(account, 'machine', draft),
      (drafts) => drafts.settle(settled),
      (drafts) => drafts.read(account, 'machine'),
    )
  expect(await kept(created)).toBeNull()
  expect(await kept({ ...created, request: randomUUID() })).toEqual(draft)
})

it('limits of alerts stay when another limit is set before the store opens', async () => {
  const clock = fakeClock(1_000)
  const off = { budget: null, perHour: null, runningHours: null, balanceDays: 3 }
  const budget = { currency: 'EUR', millionths: 500_000_000 }
  const limits = await found(
    (documents) => createAlerts({ documents, clock, notify: ignore, report: ignore }),
    ({ handlers }) => handlers['alerts.setLimits']({ account, limits: { ...off, budget } }),
    // The window shows no stored limits: they are not loaded yet.
    ({ handlers }) => handlers['alerts.setLimits']({ account, limits: { ...off, runningHours: 8 } }),
    (alerts) => alerts.limits(account),
  )
  expect(limits).toEqual({ ...off, budget, runningHours: 8 })
})
