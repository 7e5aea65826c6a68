import { describe, expect, it } from 'vitest'
import type { AccountView } from '#shared/bridge/account'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { SpendingView } from '#shared/bridge/cost'
import type { FleetSnapshot } from '#shared/bridge/fleet'
import type { IdleMachine } from '#shared/bridge/idle'
import type { WasteItem } from '#shared/bridge/waste'
import { wasteTotals } from '#shared/money/waste'
import { Machine } from '#shared/service/machine'
import { machineView } from '../fleet/machine-view'
import { createTrayFacts } from './tray-facts'
import { ownPerHour, runningCount, type TrayItem, trayMenu } from './tray-menu'

const account = (id: string, label: string, state: AccountView['state'] = 'signed-in'): AccountView => ({
  id,
  label,
  baseUrl: 'https://cloud.example/api/v1',
  credential: 'password',
  username: 'anna',
  sandbox: false,
  state,
  staysSignedIn: true,
  heldUntil: null,
  failure: null,
})

const fleetOf = (id: string, machines: readonly (readonly [string, string])[]): FleetSnapshot => ({
  account: id,
  revision: 1,
  machines: machines.map(([name, status]) =>
    machineView(Machine.parse({ id: `id-${name}`, name, status, fixed_ip: '10.0.0.1' })),
  ),
  status: { asOf: 1, reading: false, total: machines.length, failure: null },
})

const words = (items: readonly TrayItem[]): unknown[] =>
  items.map((item) =>
    item === 'separator' ? '---' : 'items' in item ? { [item.label]: words(item.items) } : item.label,
  )

const both = { accounts: [account('lab', 'research-lab'), account('uni', 'university')], selected: 'lab' }

describe("the tray's menu", () => {
  it('lists the ports that are forwarded, each of which can be stopped', () => {
    const facts = { account: 'lab', machine: 'm', machineName: 'train\u202E & co' } as const
    const forward = { ...facts, wishedPort: 8888, saved: false, state: { kind: 'open' } } as const
    const menu = trayMenu(
      { accounts: [], selected: null },
      [],
      [],
      undefined,
      0,
      undefined,
      undefined,
      undefined,
      [
        { ...forward, id: 'one', name: 'Jupyter', port: 8888, localPort: 8889 },
        { ...forward, id: 'two', name: null, port: 3000, localPort: 3000 },
      ],
    )
    expect(words(menu)).toEqual([
      {
        'Forwarded ports': [
          { 'Jupyter of train  & co at 127.0.0.1:8889': ['Stop'] },
          { 'Port 3000 of train  & co at 127.0.0.1:3000': ['Stop'] },
        ],
      },
      '---',
      'Open Wheelhouse',
      'Quit',
    ])
    const [first] = menu.flatMap((item) => (item !== 'separator' && 'items' in item ? item.items : []))
    expect(first).toMatchObject({ items: [{ action: { kind: 'stop-forward', forward: 'one' } }] })
  })

  it('says of a machine that does nothing since when, and what that has cost', () => {
    const now = 1_795_269_600
    const idle = (_account: string, machine: string): IdleMachine | undefined =>
      machine === 'id-alpha' || machine === 'id-beta'
        ? {
            ...{ machine, name: machine, since: now - 3 * 3_600, strength: 'gpu', perHour: null },
            cost: machine === 'id-alpha' ? { currency: 'USD', millionths: 9_600_000 } : null,
          }
        : undefined
    const menu = trayMenu(
      { accounts: [account('lab', 'research-lab')], selected: 'lab' },
      [
        fleetOf('lab', [
          ['alpha', 'running'],
          ['beta', 'running'],
          ['gamma', 'running'],
        ]),
      ],
      [],
      idle,
      now,
    )
    expect(JSON.stringify(words(menu))).toContain('alpha (running, idle 3 h, 9.60 USD)')
    expect(JSON.stringify(words(menu))).toContain('beta (running, idle 3 h)')
    expect(JSON.stringify(words(menu))).toContain('gamma (running)')
  })

  it('says what each account wastes, and leads there', () => {
    const usd = (dollars: number) => ({ currency: 'USD', millionths: dollars * 1_000_000 })
    const item: WasteItem = {
      ...{ id: 'v', name: 'backup', reason: { kind: 'detached' }, end: 'delete-volume' },
      ...{ perHour: usd(11.2), perMonth: usd(8_064), soFar: usd(4_180) },
    }
    const read = { read: true, failure: null }
    const menu = trayMenu(both, [fleetOf('lab', []), fleetOf('uni', [])], [], undefined, 0, undefined, (id) =>
      id === 'lab'
        ? { account: id, items: [item], totals: [...wasteTotals([item])], ...read }
        : { account: id, items: [], totals: [], ...read },
    )
    expect(menu[1]).toEqual({
      label: 'Waste: 11.20 USD/h, 4,180.00 USD so far',
      action: { kind: 'show-waste', account: 'lab' },
    })
    expect(JSON.stringify(menu).match(/Waste/g)).toHaveLength(1)
  })

  it('lists the first fifteen by name, running ones before others, whatever their order in the list', () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => (at * 7) % count)
    const namesOf = (count: number, status: string) =>
      numbers(count).map((at): readonly [string, string] => [`${status}-${String(at)}`, status])
    const listed = (running: number, stopped: number) => {
      const fleet = fleetOf('lab', [...namesOf(stopped, 'SHUTOFF'), ...namesOf(running, 'ACTIVE')])
      const menu = trayMenu({ accounts: [account('lab', 'lab')], selected: 'lab' }, [fleet])
      return menu.flatMap((item) =>
        item !== 'separator' && 'action' in item && 'machine' in item.action ? [item.action.machine] : [],
      )
    }
    const expected = (running: number, stopped: number) => [
      ...Array.from({ length: running }, (_, at) => `id-ACTIVE-${String(at)}`),
      ...Array.from({ length: stopped }, (_, at) => `id-SHUTOFF-${String(at)}`),
    ]
    expect(listed(100, 20)).toEqual(expected(15, 0))
    expect(listed(5, 40)).toEqual(expected(5, 10))
    expect(listed(2, 3)).toEqual(expected(2, 3))
  })

  it('groups machines by account, running ones first, and what can be stopped', () => {
    const menu = trayMenu(both, [
      fleetOf('lab', [
        ['beta', 'stopped'],
        ['zeta', 'running'],
        ['alpha', 'running'],
      ]),
      fleetOf('uni', []),
    ])
    expect(words(menu)).toEqual([
      'research-lab · 2 running',
      'alpha (running)',
      'zeta (running)',
      'beta (stopped, start it to connect)',
      { Stop: ['alpha…', 'zeta…'] },
      '---',
      'university',
      'No machines',
      '---',
      'Open Wheelhouse',
      'Quit',
    ])
  })

  it('connects with one click where SSH can work, and elsewhere says why not and shows the machine', () => {
    const fleet = fleetOf('lab', [
      ['on', 'running'],
      ['off', 'stopped'],
      ['new', 'creating'],
    ])
    const bare = machineView(Machine.parse({ id: 'id-bare', name: 'bare', status: 'running' }))
    const menu = trayMenu(both, [{ ...fleet, machines: [...fleet.machines, bare] }])
    const show = (machine: string) => ({ kind: 'show', account: 'lab', machine })
    expect(menu.slice(1, 5)).toMatchObject([
      { label: 'bare (running, waiting for an address)', action: show('id-bare') },
      { label: 'on (running)', action: { kind: 'ssh', account: 'lab', machine: 'id-on' } },
      { label: 'new (creating)', action: show('id-new') },
      { label: 'off (stopped, start it to connect)', action: show('id-off') },
    ])
    expect(JSON.stringify(menu)).toContain(JSON.stringify({ kind: 'stop', account: 'lab', machine: 'id-on' }))
    expect(JSON.stringify(menu)).not.toContain(
      JSON.stringify({ kind: 'stop', account: 'lab', machine: 'id-off' }),
    )
  })

  it('says of each machine how hard it works and what it costs, as far as that is known', async () => {
    const facts = createTrayFacts({
      costsOf: () =>
        Promise.resolve(
          new Map([
            ['id-gpu', { perHour: { currency: 'USD', millionths: 1_380_000 } }],
            ['id-cpu', { perHour: null }],
          ]),
        ),
      gpus: (_account, machine) =>
        machine === 'id-gpu' ? [{ utilization: 90 }, { utilization: 97 }, { utilization: 'error' }] : [],
      cpu: (_account, machine) => (machine === 'id-new' ? null : 12.4),
    })
    await facts.read('lab', ['id-gpu', 'id-cpu', 'id-new'])
    const fleet = fleetOf('lab', [
      ['cpu', 'running'],
      ['gpu', 'running'],
      ['new', 'running'],
    ])
    const menu = trayMenu(both, [fleet], [], undefined, 0, undefined, undefined, facts.of)
    expect(words(menu).slice(1, 4)).toEqual([
      'cpu (running) · CPU 12%',
      'gpu (running) · GPU 94% · 1.38 USD/h',
      'new (running)',
    ])
  })

  it('says where an account is signed out, and leads to it', () => {
    const menu = trayMenu({ accounts: [account('lab', 'research-lab', 'signed-out')], selected: 'lab' }, [])
    expect(menu[1]).toEqual({ label: 'Signed out. Sign in…', action: { kind: 'show', account: 'lab' } })
  })

  it('stays short with many machines', () => {
    const many = Array.from({ length: 400 }, (_, index) => [`m-${index}`, 'running'] as const)
    const menu = trayMenu(both, [fleetOf('lab', many)])
    expect(words(menu)).toContain('385 more…')
    expect(menu.length).toBeLessThan(30)
  })

  it('counts what runs over all accounts', () => {
    const fleets = [
      fleetOf('lab', [
        ['a', 'running'],
        ['b', 'creating'],
      ]),
      fleetOf('uni', [['c', 'running']]),
    ]
    expect(runningCount(fleets)).toBe(2)
  })

  describe('and money', () => {
    const spends = (
      id: string,
      perHour: Readonly<Record<string, number>>,
      sandbox = false,
    ): SpendingView => ({
      account: id,
      sandbox,
      asOf: 0,
      timeZone: 'UTC',
      todayStart: 0,
      monthStart: 0,
      monthEnd: 0,
      history: 'complete',
      usageAsOf: 0,
      failure: null,
      running: { machines: 0, volumes: 0, others: 0 },
      currencies: Object.entries(perHour).map(([currency, dollars]) => ({
        currency,
        assumed: false,
        perHour: dollars * 1_000_000,
        today: { charged: 0, estimated: 0 },
        month: { charged: 0, estimated: 0 },
        lastMonth: { charged: 0, estimated: 0 },
        forecast: { total: 0, rest: 0, running: 0, perHour: 0, unpriced: 0 },
      })),
    })
    const lab = spends('lab', { USD: 14.8, EUR: 2 })
    const uni = spends('uni', { USD: 1 })
    const sandbox = spends('box', { USD: 99 }, true)

    it('says what each account spends per hour, in its own currencies', () => {
      const menu = trayMenu(both, [fleetOf('lab', [['alpha', 'running']])], [lab, spends('uni', { USD: 0 })])
      expect(words(menu).filter((item) => typeof item === 'string')).toEqual([
        'research-lab · 1 running · 14.80 USD/h + 2.00 EUR/h',
        'alpha (running)',
        '---',
        'university',
        'No machines',
        '---',
        'Open Wheelhouse',
        'Quit',
      ])
    })

    it('adds up own accounts by currency, and never the sandbox', () => {
      expect(ownPerHour([lab, sandbox, uni])).toBe('15.80 USD/h + 2.00 EUR/h')
      expect(ownPerHour([sandbox])).toBe('')
      expect(ownPerHour([{ ...uni, usageAsOf: null }])).toBe('')
    })
  })

  it('shows bare metal after the machines, and leads there', () => {
    const instance = (name: string, presence: BareMetalView['presence'], address: string | null) => ({
      ...machineView(Machine.parse({ id: `id-${name}`, name, status: '' })),
      ...{ origin: 'added' as const, knownSince: 1, presence, address },
    })
    const menu = trayMenu(
      { accounts: [account('lab', 'research-lab')], selected: 'lab' },
      [fleetOf('lab', [['alpha', 'running']])],
      [],
      undefined,
      0,
      () => [instance('big-iron', 'there', null), instance('gone-iron', 'gone', null)],
    )
    expect(JSON.stringify(words(menu))).toMatch(
      /alpha \(running\).*big-iron \(bare metal, waiting for an address\)/,
    )
    expect(JSON.stringify(menu)).toContain(
      JSON.stringify({ kind: 'show-bare-metal', account: 'lab', instance: 'id-big-iron' }),
    )
    expect(JSON.stringify(menu)).not.toContain('gone-iron')
  })

  it('says the state of a machine, however long its name is', () => {
    const menu = trayMenu({ accounts: [account('a', 'Work')], selected: 'a' }, [
      fleetOf('a', [['x'.repeat(1_000_000), 'running']]),
    ])
    expect(words(menu)).toContain(`${'x'.repeat(59)}… (running)`)
  })
})
