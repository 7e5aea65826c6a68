import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  account,
  eur,
  machine,
  openDisk,
  other,
  publicKey,
  writtenAt,
} from '../../../test/fixtures/disk-state'
import { Profiles } from '../accounts/profiles'
import { openConsents } from '../gpu/telemetry/consents'
import { keysIn } from '../ssh/client/known-hosts'
import { machineSettings, SshSettings } from '../ssh/settings'

it('finds the accounts and preferences', async () => {
  const { settings, modules, calls } = await openDisk()
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
  expect(modules.preferences.read()).toEqual({
    ...{ theme: 'dark', terminal: 'kitty', terminalFontSize: 13, locale: 'system' },
  })
  expect(await calls['idle.settings']({})).toEqual({ threshold: 12, minutes: 90 })
  expect(await calls['firewall.ownAddresses']({ account, machine: 'm' })).toContainEqual({
    ...{ address: '203.0.113.7', from: 'remembered', rememberedAt: null },
  })
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
  const { calls } = await openDisk()
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
  const { modules, calls, clock, notifications } = await openDisk()
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

it('finds SSH settings, host keys, consents and watched flavors', async () => {
  const { settings, folder, calls } = await openDisk()
  expect(await calls['ssh.defaults']({ account })).toEqual({ user: 'ubuntu', port: 2222, identityFile: null })
  const ssh = settings.section('ssh', SshSettings).read()
  expect(machineSettings(ssh, account, machine)).toEqual({ user: 'root', port: 22, identityFile: null })
  const known = readFileSync(join(folder, 'known_hosts'), 'utf8')
  expect(keysIn(known, `${machine}.${account}.wheelhouse`)).toEqual([
    { type: 'ssh-ed25519', blob: publicKey, isUnseen: true },
  ])
  const consents = openConsents(settings)
  expect(consents.of(account)).toEqual([machine, 'vm-other'])
  expect([consents.hasAll(account), consents.has(account, machine), consents.has(account, 'vm-new')]).toEqual(
    [false, true, false],
  )
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
  const { modules, calls, notifications } = await openDisk()
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
