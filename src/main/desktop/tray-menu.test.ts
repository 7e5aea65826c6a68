import { describe, expect, it } from 'vitest'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { IdleMachine } from '#shared/bridge/idle'
import { Machine } from '#shared/service/machine'
import { account, both, fleetOf, menuOf, words } from '../../../test/fixtures/tray-menu'
import { machineView } from '../fleet/machine-view'
import type { TrayAction } from './tray-item'
import { runningCount } from './tray-menu'

/** Machine that a line connects to or shows. */
function machineOf(action: TrayAction): readonly string[] {
  if (action.kind === 'ssh') return [action.machine]
  const machine =
    action.kind === 'show' && action.destination?.page === 'machines' ? action.destination.machine : undefined
  return machine === undefined ? [] : [machine]
}

describe("the tray's menu", () => {
  it('lists forwarded ports, each with an item that stops it', () => {
    const facts = { account: 'lab', machine: 'm', machineName: 'train\u202E & co' } as const
    const forward = { ...facts, wishedPort: 8888, saved: false, state: { kind: 'open' } } as const
    const menu = menuOf({ accounts: [], selected: null }, [], {
      forwards: [
        { ...forward, id: 'one', name: 'Jupyter', port: 8888, localPort: 8889 },
        { ...forward, id: 'two', name: null, port: 3000, localPort: 3000 },
      ],
    })
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

  it('shows since when a machine is idle and its cost since then', () => {
    const now = 1_795_269_600
    const idle = (_account: string, machine: string): IdleMachine | undefined =>
      machine === 'id-alpha' || machine === 'id-beta'
        ? {
            machine,
            name: machine,
            since: now - 3 * 3_600,
            use: 'idle',
            held: null,
            basis: 'gpu',
            perHour: null,
            cost: machine === 'id-alpha' ? { currency: 'USD', millionths: 9_600_000 } : null,
          }
        : undefined
    const menu = menuOf(
      { accounts: [account('lab', 'research-lab')], selected: 'lab' },
      [
        fleetOf('lab', [
          ['alpha', 'running'],
          ['beta', 'running'],
          ['gamma', 'running'],
        ]),
      ],
      { idle, now },
    )
    expect(JSON.stringify(words(menu))).toContain('alpha (running, idle 3 h, 9.60 USD)')
    expect(JSON.stringify(words(menu))).toContain('beta (running, idle 3 h)')
    expect(JSON.stringify(words(menu))).toContain('gamma (running)')
  })

  it('lists the first fifteen machines by name, running ones first, whatever the order of the list', () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => (at * 7) % count)
    const namesOf = (count: number, status: string) =>
      numbers(count).map((at): readonly [string, string] => [`${status}-${String(at)}`, status])
    const listed = (running: number, stopped: number) => {
      const fleet = fleetOf('lab', [...namesOf(stopped, 'SHUTOFF'), ...namesOf(running, 'ACTIVE')])
      const menu = menuOf({ accounts: [account('lab', 'lab')], selected: 'lab' }, [fleet])
      return menu.flatMap((item) => (item !== 'separator' && 'action' in item ? machineOf(item.action) : []))
    }
    const expected = (running: number, stopped: number) => [
      ...Array.from({ length: running }, (_, at) => `id-ACTIVE-${String(at)}`),
      ...Array.from({ length: stopped }, (_, at) => `id-SHUTOFF-${String(at)}`),
    ]
    expect(listed(100, 20)).toEqual(expected(15, 0))
    expect(listed(5, 40)).toEqual(expected(5, 10))
    expect(listed(2, 3)).toEqual(expected(2, 3))
  })

  it('groups machines by account, running ones first, and lists their actions', () => {
    const menu = menuOf(both, [
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
      {
        Actions: [
          { alpha: ['Show in Wheelhouse', 'Jobs', 'Stop…'] },
          { zeta: ['Show in Wheelhouse', 'Jobs', 'Stop…'] },
          { beta: ['Show in Wheelhouse', 'Jobs'] },
        ],
      },
      '---',
      'university',
      'No machines',
      '---',
      'Open Wheelhouse',
      'Quit',
    ])
  })

  it('connects if SSH can work, otherwise shows the reason and opens the machine', () => {
    const fleet = fleetOf('lab', [
      ['on', 'running'],
      ['off', 'stopped'],
      ['new', 'creating'],
    ])
    const bare = machineView(Machine.parse({ id: 'id-bare', name: 'bare', status: 'running' }))
    const menu = menuOf(both, [{ ...fleet, machines: [...fleet.machines, bare] }])
    const show = (machine: string, more = {}) => ({
      kind: 'show',
      destination: { page: 'machines', account: 'lab', machine, ...more },
    })
    expect(menu.slice(1, 5)).toMatchObject([
      { label: 'bare (running, waiting for an address)', action: show('id-bare') },
      { label: 'on (running)', action: { kind: 'ssh', account: 'lab', machine: 'id-on' } },
      { label: 'new (creating)', action: show('id-new') },
      { label: 'off (stopped, start it to connect)', action: show('id-off') },
    ])
    expect(JSON.stringify(menu)).toContain(JSON.stringify(show('id-on', { act: 'stop' })))
    expect(JSON.stringify(menu)).not.toContain(JSON.stringify(show('id-off', { act: 'stop' })))
  })

  it('shows a signed-out account, which opens its page', () => {
    const menu = menuOf({ accounts: [account('lab', 'research-lab', 'signed-out')], selected: 'lab' }, [])
    expect(menu[1]).toEqual({
      label: 'Signed out. Sign in…',
      action: { kind: 'show', destination: { page: 'machines', account: 'lab' } },
    })
  })

  it('stays short with many machines', () => {
    const many = Array.from({ length: 400 }, (_, index) => [`m-${index}`, 'running'] as const)
    const menu = menuOf(both, [fleetOf('lab', many)])
    expect(words(menu)).toContain('385 more…')
    expect(menu.length).toBeLessThan(30)
  })

  it('counts running machines of all accounts', () => {
    const fleets = [
      fleetOf('lab', [
        ['a', 'running'],
        ['b', 'creating'],
      ]),
      fleetOf('uni', [['c', 'running']]),
    ]
    expect(runningCount(fleets)).toBe(2)
  })

  it('shows bare metal after the machines, and opens it', () => {
    const instance = (name: string, presence: BareMetalView['presence'], address: string | null) => ({
      ...machineView(Machine.parse({ id: `id-${name}`, name, status: '' })),
      origin: 'added' as const,
      knownSince: 1,
      presence,
      address,
    })
    const menu = menuOf(
      { accounts: [account('lab', 'research-lab')], selected: 'lab' },
      [fleetOf('lab', [['alpha', 'running']])],
      { instances: () => [instance('big-iron', 'there', null), instance('gone-iron', 'gone', null)] },
    )
    expect(JSON.stringify(words(menu))).toMatch(
      /alpha \(running\).*big-iron \(bare metal, waiting for an address\)/,
    )
    expect(JSON.stringify(menu)).toContain(
      JSON.stringify({ page: 'bare-metal', account: 'lab', instance: 'id-big-iron' }),
    )
    expect(JSON.stringify(menu)).not.toContain('gone-iron')
  })

  it('shows the state of a machine however long its name is', () => {
    const menu = menuOf({ accounts: [account('a', 'Work')], selected: 'a' }, [
      fleetOf('a', [['x'.repeat(1_000_000), 'running']]),
    ])
    expect(words(menu)).toContain(`${'x'.repeat(59)}… (running)`)
  })
})
