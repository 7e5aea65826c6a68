import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActiveCost } from '../bridge/cost'
import type { MachineView } from '../bridge/fleet'
import type { VolumeView } from '../bridge/volume'
import { sumByCurrency } from './money'
import { isChecked, type WasteSources, wasteOf, wasteTotals } from './waste'

const now = 1_795_269_600

const machine = (id: string, status: string, more: MachineView['more'] = []): MachineView => ({
  id,
  name: `name-${id}`,
  status,
  address: null,
  username: null,
  hasPassword: false,
  keyName: null,
  startedAt: null,
  image: null,
  region: null,
  more,
  flavor: { name: null, cpu: null, ram: null, disk: null, gpu: null, gpuCount: null },
})
const statusOf = { attached: 'in-use', detached: 'available', unknown: null } as const
const volume = (
  id: string,
  attachment: VolumeView['attachment'],
  bootable: boolean | null = false,
): VolumeView => ({
  id,
  displayName: `name-${id}`,
  name: null,
  size: 10,
  bootable,
  attachment,
  status: statusOf[attachment.kind],
  region: { id: null, name: null },
  description: null,
  currency: null,
  createdAt: null,
  settling: false,
  more: [],
})
const instance = (id: string) => ({
  ...machine(id, 'running'),
  origin: 'added' as const,
  knownSince: 1,
  presence: 'there' as const,
})
const cost = (
  id: string,
  perHour: number | null = 1_000_000,
  changes: Partial<ActiveCost> = {},
): ActiveCost => ({
  id,
  name: null,
  type: 'vm',
  createdAt: now - 86_400,
  currency: 'USD',
  perHour,
  soFar: 5_000_000,
  ...changes,
})
const idle = (id: string) => ({
  machine: id,
  name: id,
  since: now - 7_200,
  use: 'idle' as const,
  held: null,
  basis: 'gpu' as const,
  perHour: null,
  cost: { currency: 'USD', millionths: 2_000_000 },
})
const sources = (changes: Partial<WasteSources>): WasteSources => ({
  costs: [],
  machines: [],
  volumes: [],
  instances: [],
  idle: [],
  unmeasured: new Set<string>(),
  listedAsOf: now,
  seenSince: new Map(),
  pending: new Set<string>(),
  atWork: new Set<string>(),
  canDelete: { machine: true, volume: true },
  ...changes,
})
const kinds = (changes: Partial<WasteSources>) =>
  wasteOf(sources(changes)).map(({ id, reason, end }) => [id, reason.kind, end])

describe('waste', () => {
  it('is an idle machine with the cost of its idle time, and a stopped machine with its whole cost', () => {
    const found = wasteOf(
      sources({
        costs: [cost('idle', 3_000_000), cost('off', 2_000_000), cost('busy'), cost('broken')],
        machines: [
          machine('idle', 'running'),
          machine('off', 'stopped'),
          machine('busy', 'running'),
          machine('broken', 'error'),
        ],
        idle: [idle('idle')],
      }),
    )
    expect(found).toMatchObject([
      { id: 'idle', reason: { kind: 'idle' }, end: 'delete-machine', soFar: { millionths: 2_000_000 } },
      { id: 'off', reason: { kind: 'stopped', status: 'stopped' }, soFar: { millionths: 5_000_000 } },
      { id: 'broken', reason: { kind: 'stopped', status: 'error' } },
    ])
    expect(found[0]?.perMonth).toEqual({ currency: 'USD', millionths: 3_000_000 * 720 })
  })

  it('is not a running machine that was not measured, which is listed as unchecked', () => {
    const unmeasured = { costs: [cost('m')], unmeasured: new Set(['m']) }
    const [item] = wasteOf(sources({ ...unmeasured, machines: [machine('m', 'running')] }))
    expect(item).toMatchObject({ reason: { kind: 'unmeasured' } })
    expect(item && isChecked(item)).toBe(false)
    expect(kinds({ ...unmeasured, machines: [machine('m', 'stopped')] })).toEqual([
      ['m', 'stopped', 'delete-machine'],
    ])
  })

  it('goes on where an idle machine was stopped: the charge does', () => {
    const before = { costs: [cost('m')], idle: [idle('m')] }
    expect(kinds({ ...before, machines: [machine('m', 'stopped')] })).toEqual([
      ['m', 'stopped', 'delete-machine'],
    ])
    expect(kinds({ ...before, machines: [machine('m', 'stopping')] })).toEqual([])
  })

  it('is a volume attached to nothing or to a stopped machine, and no other', () => {
    const machines = [machine('off', 'stopped')]
    const attached = (id: string, to: string | null, bootable: boolean | null = false) =>
      volume(id, { kind: 'attached', machine: to }, bootable)
    const volumes = [
      volume('loose', { kind: 'detached' }),
      attached('of-off', 'off'),
      attached('boot', 'off', true),
      attached('maybe-boot', 'off', null),
      attached('somewhere', null),
      volume('unknown', { kind: 'unknown' }),
    ]
    expect(kinds({ machines, volumes, costs: volumes.map(({ id }) => cost(id)) })).toEqual([
      ['boot', 'of-stopped', 'delete-machine-first'],
      ['loose', 'detached', 'delete-volume'],
      ['maybe-boot', 'of-stopped', 'detach-first'],
      ['of-off', 'of-stopped', 'detach-and-delete'],
    ])
  })

  it('is no volume that a running machine of its region may use by now', () => {
    const held = volume('held', { kind: 'attached', machine: 'off' })
    const here = { ...held, region: { id: null, name: 'Oslo' } }
    const found = (volumes: VolumeView[], on: MachineView) =>
      kinds({ machines: [machine('off', 'stopped'), on], volumes, costs: [cost('held')] })
    const on = machine('on', 'running')
    expect(found([held], on)).toEqual([])
    expect(found([here], { ...on, region: 'Oslo' })).toEqual([])
    expect(found([here], { ...on, region: 'Virginia' })).toHaveLength(1)
    expect(found([held], machine('off-too', 'stopped'))).toHaveLength(1)
  })

  it.each(['creating', 'downloading', 'detaching', 'Attaching'])(
    'is no volume that is still %s',
    (status) => {
      const moving = { ...volume('v', { kind: 'detached' }), status }
      expect(kinds({ volumes: [moving], costs: [cost('v')] })).toEqual([])
      expect(kinds({ volumes: [{ ...moving, status: 'available' }], costs: [cost('v')] })).toHaveLength(1)
    },
  )

  it('is no volume whose attachment no list has confirmed', () => {
    const unconfirmed = (attachment: VolumeView['attachment']) => ({
      ...volume('volume-0001', attachment),
      status: null,
    })
    const off = machine('off', 'stopped')
    const found = (attachment: VolumeView['attachment'], on = off) =>
      kinds({ machines: [on], volumes: [unconfirmed(attachment)], costs: [cost('volume-0001')] })
    expect(found({ kind: 'detached' })).toEqual([])
    expect(found({ kind: 'attached', machine: 'off' })).toEqual([])
    expect(found({ kind: 'unknown', lastMachine: 'off' })).toEqual([])
    // The details of the machine confirm it.
    const naming = machine('off', 'stopped', [{ path: 'volumes', value: 'volume-0001' }])
    expect(found({ kind: 'unknown', lastMachine: 'off' }, naming)).toEqual([
      ['volume-0001', 'of-stopped', 'detach-and-delete'],
    ])
  })

  it('finds the machine of a volume where only its details name it', () => {
    const more = [{ path: 'volumes', value: '[{"id":"volume-0001"}]' }]
    const volumes = [volume('volume-0001', { kind: 'attached', machine: null })]
    const costs = [cost('volume-0001')]
    expect(kinds({ machines: [machine('off', 'stopped', more)], volumes, costs })).toHaveLength(1)
    expect(kinds({ machines: [machine('on', 'running', more)], volumes, costs })).toEqual([])
    const both = [machine('off', 'stopped', more), machine('on', 'running', more)]
    expect(kinds({ machines: both, volumes, costs })).toEqual([])
  })
})

describe('waste besides machines and volumes', () => {
  it('is bare metal that is not seen at work, and what no list names', () => {
    const costs = [cost('idle-metal', 2_000_000), cost('metal'), cost('lost')]
    const instances = [instance('idle-metal'), instance('metal')]
    expect(kinds({ costs, instances, atWork: new Set(['metal']) })).toEqual([
      ['idle-metal', 'bare-metal', 'elsewhere'],
      ['lost', 'unlisted', 'elsewhere'],
    ])
  })

  it('is monitored bare metal with idle GPUs, which nothing here can end', () => {
    const unused = {
      machine: 'metal',
      name: 'metal',
      since: 600,
      use: 'idle' as const,
      held: null,
      basis: 'gpu' as const,
      cost: null,
      perHour: null,
    }
    const [item] = wasteOf(
      sources({ costs: [cost('metal')], instances: [instance('metal')], idle: [unused] }),
    )
    expect(item).toMatchObject({ reason: { kind: 'idle', since: 600 }, end: 'elsewhere', isBareMetal: true })
    expect(item && isChecked(item)).toBe(true)
  })

  it('takes nothing for old whose creation has no date, until it was billed here for a while', () => {
    const undated = cost('undated', 1, { createdAt: null })
    const since = (at: number) => kinds({ costs: [undated], seenSince: new Map([['undated', at]]) })
    expect(kinds({ costs: [undated] })).toEqual([])
    expect(since(now - 119)).toEqual([])
    expect(since(now - 120)).toEqual([['undated', 'unlisted', 'elsewhere']])
  })

  it('drops neither of two currencies, and gives the cost of an idle time only in its own', () => {
    const items = wasteOf(
      sources({
        costs: [cost('idle', 3_000_000), cost('idle', 1_000_000, { currency: 'EUR' })],
        machines: [machine('idle', 'running')],
        idle: [idle('idle')],
      }),
    )
    expect(items.map(({ perHour, soFar }) => [perHour?.currency, soFar?.millionths])).toEqual([
      ['EUR', undefined],
      ['USD', 2_000_000],
    ])
    expect(wasteTotals(items).map(({ perHour }) => perHour.currency)).toEqual(['EUR', 'USD'])
  })

  it('calls no resource unlisted before the lists were read, or while it is new or just gone', () => {
    const costs = [cost('lost')]
    expect(kinds({ costs, listedAsOf: null })).toEqual([])
    expect(kinds({ costs: [cost('new', 1, { createdAt: now - 60 })] })).toEqual([])
    expect(kinds({ costs, pending: new Set(['lost']) })).toEqual([])
  })

  it('is nothing that costs nothing, and offers no end that the service does not', () => {
    const machines = [machine('off', 'stopped'), machine('free', 'stopped'), machine('unbilled', 'stopped')]
    const canDelete = { machine: false, volume: false }
    expect(kinds({ machines, costs: [cost('off', null), cost('free', 0)], canDelete })).toEqual([
      ['off', 'stopped', 'elsewhere'],
    ])
  })

  it('is each thing once, in order, and its totals are the sums of each currency', () => {
    const amount = fc.option(fc.integer({ min: 1, max: 9_000_000 }))
    const one = fc.record({
      id: fc.uuid(),
      currency: fc.constantFrom('USD', 'EUR'),
      perHour: amount,
      soFar: amount,
    })
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ id }) => id }), (drawn) => {
        const items = wasteOf(
          sources({
            costs: drawn.map(({ id, ...rest }) => cost(id, 1, rest)),
            machines: drawn.filter((_, at) => at % 2 === 0).map(({ id }) => machine(id, 'stopped')),
          }),
        )
        expect(items.map(({ id }) => id).sort()).toEqual(drawn.map(({ id }) => id).sort())
        const known = items.flatMap(({ perHour }) => perHour ?? [])
        expect(items.slice(known.length).every(({ perHour }) => perHour === null)).toBe(true)
        for (const [at, next] of known.slice(1).entries())
          if (known[at]?.currency === next.currency)
            expect(known[at]?.millionths).toBeGreaterThanOrEqual(next.millionths)
        const totals = wasteTotals(items)
        expect(totals.map(({ perHour }) => perHour)).toEqual(sumByCurrency(known))
        for (const { perHour, soFar } of totals)
          expect(soFar ? [soFar] : []).toEqual(
            sumByCurrency(items.flatMap((item) => item.soFar ?? [])).filter(
              ({ currency }) => currency === perHour.currency,
            ),
          )
      }),
    )
  })
})
