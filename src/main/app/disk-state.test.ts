import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Destination } from '#shared/bridge/app'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { ledgerBooks } from '../../../test/fixtures/ledger-harness'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { openKeychain } from '../store/keychain'
import { Profiles } from '../accounts/profiles'
import { openEntries } from '../creation/entries'
import { openConsents } from '../gpu/telemetry/consents'
import { sampleTable } from '../gpu/telemetry/sample-table'
import { openSettings } from '../store/settings'
import { keysIn } from '../ssh/client/known-hosts'
import { machineSettings, SshSettings } from '../ssh/settings'
import { openMemory } from '../volumes/memory'
import { createModules } from './modules'

/*
 * What commit 1aa2dd5 wrote to disk, opened with the code of today: a field that is renamed is migrated, never dropped.
 *
 * test/fixtures/disk-v0.1.0 was made by its write.ts.txt, which ran in a checkout of that commit and wrote everything
 * through its own modules at 2026-09-21T14:13:20Z: the ledger from a sandbox whose clock was moved by a day. The database
 * is encrypted; keychain.json is what the keychain held. The folder is never written again: expectations here change
 * with the names of today, the fixture does not.
 */
const writtenAt = 1_790_000_000
const account = 'yu1beqi11l06'
const other = 'secondone123'
const machine = 'a6a331b0dfc077b9cdf45b0e'
const volume = 'ebb75e0a3057b4ab9605086d'
const publicKey = 'AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV'
const eur = (millionths: number) => ({ currency: 'EUR', millionths })
const fixture = join(__dirname, '../../../test/fixtures/disk-v0.1.0')

/** The modules over a copy of what was written; nothing is asked of any service. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-disk-state-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(fixture, folder, { recursive: true })
  const secrets = memorySecrets()
  const kept = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(join(fixture, 'keychain.json'), 'utf8')))
  for (const [entry, secret] of Object.entries(kept)) await secrets.setPassword('Wheelhouse', entry, secret)

  const clock = fakeClock(writtenAt + 60)
  const notifications: (readonly [title: string, destination: Destination])[] = []
  const refuse = () => Promise.reject(new Error('no network in this test'))
  const settings = openSettings(folder)
  const main = createModules(
    {
      runtime: { version: '0', platform: 'linux', systemLocales: [], electron: '0', loopbackOnly: false },
      userData: folder,
      home: folder,
      platform: 'linux',
      env: {},
      fetch: refuse,
      freshFetch: refuse,
      keychain: openKeychain({ load: () => Promise.resolve(secrets), seconds: 5 }),
      sandbox: {
        start: refuse,
        forget: () => Promise.resolve(),
        close: () => undefined,
        onLost: () => undefined,
      },
      clock,
      clipboard: { write: refuse, copySecret: refuse },
      reportError: () => undefined,
      online: () => false,
      chooseFile: () => Promise.resolve(null),
      chooseTarget: () => Promise.resolve(null),
      printPdf: refuse,
    },
    settings,
  )
  main.onNotification(({ words, destination }) => notifications.push([words.title, destination]))
  onTestFinished(async () => {
    await main.close()
    await settings.close()
  })
  const { modules } = main
  return { folder, settings, modules, clock, notifications, calls: main.handlers }
}

it('finds the accounts and preferences', async () => {
  const { settings, modules, calls } = await open()
  expect(settings.notices()).toEqual([])
  expect(await calls['accounts.list']({})).toMatchObject({
    selected: account,
    accounts: [
      { id: account, label: 'Research', credential: 'api-token', sandbox: false },
      { id: other, baseUrl: 'https://gpu.example.com/api/v1', username: 'ada' },
    ],
  })
  const { accounts: profiles } = settings.section('accounts', Profiles).read()
  expect(profiles.map(({ staySignedIn, inKeychain }) => [staySignedIn, inKeychain])).toEqual([
    [true, true],
    [false, false],
  ])
  expect(modules.preferences.read()).toEqual({ theme: 'dark', terminal: 'kitty', locale: 'system' })
  expect(await calls['idle.settings']({})).toEqual({ threshold: 12, minutes: 90 })
  expect(await calls['firewall.ownAddresses']({})).toContain('203.0.113.7')
  expect(await calls['cost.currency']({ account })).toEqual({ currency: 'EUR', chosen: true })
  const Bounds = z.object({
    x: z.number(),
    y: z.number(),
    width: z.number(),
    height: z.number(),
    maximized: z.boolean(),
  })
  const bounds = { x: 40, y: 60, width: 1500, height: 900, maximized: true }
  expect(settings.section('window', Bounds.partial()).read()).toEqual(bounds)
})

it('finds what was found out about the service', async () => {
  const { calls } = await open()
  expect(await calls['capabilities.read']({ account })).toMatchObject({
    regions: 'yes',
    'volume-list': 'yes',
    'volume-types': 'yes',
    balance: 'yes',
    power: 'no',
    'delete-volume': 'unknown',
  })
})

it('finds notes, and reminders of which the one that was shown is not shown again', async () => {
  const { modules, calls, clock, notifications } = await open()
  expect(await calls['notes.list']({ account })).toEqual({
    [machine]: { text: 'Nightly training', tags: ['prod', 'eu'] },
  })
  expect(await calls['notes.list']({ account: other })).toEqual({ 'vm-9': { text: '', tags: ['old'] } })
  const reminders = await calls['reminders.list']({ account })
  expect(reminders.map(({ name, at }) => [name, at])).toEqual([
    ['trainer', writtenAt - 3_600],
    ['trainer', writtenAt + 86_400],
  ])
  modules.reminders.start()
  expect(notifications).toEqual([])
  clock.set(writtenAt + 86_400)
  clock.advance(30)
  expect(notifications.map(([, destination]) => destination)).toEqual([
    { page: 'machines', account, machine },
  ])
})

it('finds drafts and creations in every state', async () => {
  const { settings, calls } = await open()
  expect(await calls['creation.draft']({ account, kind: 'machine' })).toEqual({
    request: expect.any(String),
    name: 'next',
    region: 'id:fra-1',
    flavor: 'flavor-1',
    boot: 'volume',
    image: null,
    volume: 'vol-generated',
    key: 'pasted',
    keyFile: null,
    pastedKey: `ssh-ed25519 ${publicKey} test`,
    initScript: '#!/bin/sh\necho ready\n',
  })
  expect(await calls['creation.draft']({ account: other, kind: 'bare-metal' })).toMatchObject({
    name: 'metal-next',
    image: 'image-1',
    keyFile: '/home/ada/.ssh/id_ed25519.pub',
  })
  const cause = { kind: 'timed-out', host: 'gpu.example.com', seconds: 30 }
  const creations = await calls['creation.list']({ account })
  expect(creations.map(({ name, kind, sentAt }) => [name, kind, sentAt - writtenAt])).toEqual([
    ['worker-sending', 'machine', -600],
    ['worker-looking', 'machine', -599],
    ['worker-created', 'machine', -598],
    ['worker-running', 'machine', -597],
    ['worker-failed', 'machine', -596],
    ['worker-unclear', 'machine', -595],
    ['worker-absent', 'machine', -594],
    ['worker-unknown', 'bare-metal', -593],
  ])
  expect(creations.map((creation) => creation.cause)).toEqual([
    null,
    cause,
    null,
    cause,
    null,
    cause,
    cause,
    cause,
  ])
  expect(creations.map(({ state }) => state)).toEqual([
    { kind: 'sending' },
    { kind: 'looking', failure: { kind: 'offline' } },
    { kind: 'created', machine: 'vm-created', found: false },
    { kind: 'running', machine: 'vm-running', found: true },
    { kind: 'failed', machine: 'vm-failed', found: false },
    {
      kind: 'unclear',
      candidates: [
        { id: 'vm-a', name: 'worker' },
        { id: 'vm-b', name: 'worker' },
      ],
    },
    { kind: 'absent', others: [{ id: 'vm-c', name: 'someone-else' }] },
    { kind: 'unknown' },
  ])
  const entries = openEntries(settings, () => undefined).of(account)
  expect(entries.map(({ before }) => before)).toEqual(Array.from({ length: 8 }, () => ['vm-before']))
  expect(entries.map(({ identityFile }) => identityFile !== null)).toEqual([
    ...[true, false, true, false],
    ...[true, false, true, false],
  ])
})

it('finds volumes, their open creations and bare metal', async () => {
  const { settings, calls } = await open()
  const memory = openMemory(settings)
  expect(memory.volumes(account)).toMatchObject({
    [volume]: {
      displayName: 'datasets',
      name: 'vol-generated',
      size: 200,
      region: { id: 'eu-north-1', name: 'Frankfurt' },
      bootable: false,
      description: 'Shared',
      currency: 'EUR',
      createdAt: writtenAt - 86_400,
      attachment: { machine, at: writtenAt - 3_000 },
      reported: { status: 'in-use', at: writtenAt - 2_990 },
      billed: true,
    },
    'vol-detached': {
      displayName: 'scratch',
      attachment: { machine: null, at: writtenAt - 100 },
      reported: null,
    },
  })
  expect(memory.typeOf(account, 'eu-north-1')).toBe('ssd')
  expect(await calls['volumes.pendingCreations']({ account })).toEqual([
    {
      id: '10000000-0000-4000-8000-000000000000',
      request: null,
      account,
      name: 'being-sent',
      sentAt: writtenAt - 30,
      state: 'sending',
      cause: null,
    },
    {
      id: '10000000-0000-4000-8000-000000000001',
      request: null,
      account,
      name: 'no-answer',
      sentAt: writtenAt - 60,
      state: 'unknown',
      cause: { kind: 'timed-out', host: 'gpu.example.com', seconds: 30 },
    },
  ])
  const { instances } = await calls['bareMetal.snapshot']({ account })
  expect(instances.map(({ id, name, origin, knownSince }) => [id, name, origin, knownSince])).toEqual([
    ['bm-1', 'metal', 'created', writtenAt - 500],
    ['bm-2', 'old-metal', 'added', writtenAt - 400],
  ])
})

it('finds SSH settings, host keys, consents and watched flavors', async () => {
  const { settings, folder, calls } = await open()
  expect(await calls['ssh.defaults']({ account })).toEqual({ user: 'ubuntu', port: 2222, identityFile: null })
  const ssh = settings.section('ssh', SshSettings).read()
  expect(machineSettings(ssh, account, machine)).toEqual({ user: 'root', port: 22, identityFile: null })
  const known = readFileSync(join(folder, 'known_hosts'), 'utf8')
  expect(keysIn(known, `${machine}.${account}.wheelhouse`)).toEqual([
    { type: 'ssh-ed25519', blob: publicKey },
  ])
  expect(openConsents(settings).of(account)).toEqual([machine, 'vm-other'])
  expect(await calls['catalog.watches']({ account })).toEqual([
    {
      kind: 'machine',
      flavor: 'e6d854f84ac189850f4b178d',
      name: 'rtxpro6000-96g.1x',
      region: { id: 'eu-west-1', name: 'Paris' },
      since: writtenAt,
    },
    {
      kind: 'bare-metal',
      flavor: '9e2341794831623362884df0',
      name: 'bm-b200.8x',
      region: { id: 'eu-north-1', name: 'Oslo' },
      since: writtenAt,
    },
  ])
})

it('finds limits and alerts, and shows none of them a second time', async () => {
  const { modules, calls, notifications } = await open()
  expect(await calls['alerts.limits']({ account })).toEqual({
    budget: eur(500_000_000),
    perHour: eur(4_000_000),
    runningHours: 24,
    balanceDays: 5,
  })
  const since = writtenAt - 1_000
  const budget = eur(500_000_000)
  const idle = { kind: 'idle', machine, name: 'trainer', cost: eur(1_250_000), strength: 'gpu' } as const
  const alerts = await calls['alerts.list']({ account })
  expect(alerts.map((alert) => [alert.cause, alert.since, alert.snoozedUntil])).toEqual([
    [
      {
        kind: 'balance-low',
        balance: eur(9_000_000),
        perHour: eur(2_500_000),
        left: 12_960,
        days: 5,
      },
      since,
      null,
    ],
    [{ kind: 'budget-forecast', month: '2026-09', forecast: eur(700_000_000), budget }, since, null],
    [{ kind: 'budget-reached', month: '2026-09', spent: eur(510_000_000), budget }, since, null],
    [
      {
        kind: 'long-running',
        machine,
        name: 'trainer',
        hours: 24,
        perHour: eur(2_500_000),
        cost: null,
      },
      writtenAt - 90_000,
      null,
    ],
    [
      { kind: 'hourly-limit', perHour: eur(5_000_000), limit: eur(4_000_000) },
      since,
      writtenAt - 1_000 + 7 * 86_400,
    ],
  ])
  // As each source finds the same again after the restart; the dismissed one stays hidden.
  const found = (kind: string) => alerts.filter(({ cause }) => cause.kind.startsWith(kind))
  modules.alerts.check(account, 'budget', found('budget'))
  modules.alerts.check(account, 'rate', found('hourly-limit'))
  modules.alerts.check(account, 'machines', found('long-running'))
  modules.alerts.check(account, 'balance', found('balance-low'))
  modules.alerts.check(account, 'idle', [{ cause: idle, since: writtenAt - 1_800 }])
  expect(notifications).toEqual([])
  expect(await calls['alerts.list']({ account })).toEqual(alerts)
})

it('finds ledger, resources and GPU samples in the encrypted database', async () => {
  const { modules, calls } = await open()
  await modules.store.open()
  expect(await calls['store.state']({})).toEqual({ kind: 'open', setAside: null })
  expect(await calls['ledger.state']({ account })).toMatchObject({
    known: 4,
    total: 4,
    complete: true,
    lastSync: writtenAt,
  })
  const database = modules.store.database()
  if (database === undefined) throw new Error('the store is not open')
  const books = Object.values(ledgerBooks(database, account))
  expect(books.map(({ statements }) => statements)).toEqual([2, 2])
  expect(books.reduce((sum, { charged }) => sum + charged, 0)).toBe(60_336_000)
  expect(books.reduce((sum, { fee }) => sum + fee, 0)).toBe(60_336_000)
  expect(modules.costs.history.all(account)).toMatchObject([
    { id: machine, kind: 'machine', name: 'trainer', gpu: 'H100', gpuCount: 1, currency: 'EUR' },
    { id: 'bm-1', kind: 'bare-metal', name: 'metal', flavor: 'Metal 8x', gpu: 'H200', gpuCount: 8 },
    { id: volume, kind: 'volume', name: 'datasets', gpu: '', region: 'Frankfurt' },
  ])
  const samples = sampleTable(database).read(account, machine, 60, 0)
  const [first] = samples
  expect(samples.map(({ utilization }) => utilization)).toEqual([0, 10, 20, 30, 40])
  expect(first).toEqual({
    gpu: 'GPU-1',
    index: 0,
    time: Math.floor(writtenAt / 60) * 60 - 300,
    samples: 6,
    utilization: 0,
    utilizationMax: 5,
    memoryUsed: 1_000,
    memoryTotal: 81_559,
    temperatureMax: 60,
    power: null,
  })
})
