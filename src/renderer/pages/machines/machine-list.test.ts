import { describe, expect, it } from 'vitest'
import type { MachineView } from '#shared/bridge/fleet'
import { columnsThatFit, gridTemplate, withWideName } from '../../components/grid-columns'
import { machineColumns } from './columns'
import { rowFilter, sortedBy, withFound } from '../../components/rows'
import { machineRows, machineRowsWith, type MachineColumn } from './machine-rows'
import { machineNamed } from './machine.fixture'
import { statusOf, statusOrder } from './machine-states'
import { gpuText, hardwareText, shortGpuText, statusText, summaryText } from '../../features/machine-text'

const flavor = machineNamed('any').flavor
const names = (machines: readonly MachineView[]) => machines.map(({ name }) => name)

const fleet = [
  machineNamed('train-10', { address: '203.0.113.9', startedAt: 100 }),
  machineNamed('train-2', { region: 'OSLO', status: 'stopped', address: '203.0.113.10' }),
  machineNamed('夜间评测', {
    flavor: { ...flavor, gpu: 'A100 80GB', gpuCount: 1, name: null },
    startedAt: 300,
  }),
  machineNamed('fresh', { status: 'creating', address: null, region: null, startedAt: null }),
  machineNamed('odd', { status: 'Migrating_v2', startedAt: 200 }),
]

describe('the filter', () => {
  it("finds the user's notes", () => {
    const noted = (id: string) => (id === fleet[1]?.id ? 'Ada\nuntil Friday' : '')
    expect(names(rowFilter(fleet, machineRows, noted)('ada friday train'))).toEqual(['train-2'])
  })

  it.each([
    ['TRAIN', ['train-10', 'train-2']],
    ['oslo', ['train-2']],
    ['a100', ['夜间评测']],
    ['评测', ['夜间评测']],
    ['203.0.113.9', ['train-10']],
    ['creating', ['fresh']],
    ['migrating', ['odd']],
    ['train dallas', ['train-10']],
    ['nothing-like-it', []],
    ['  ', ['train-10', 'train-2', '夜间评测', 'fresh', 'odd']],
  ])('%j keeps the matching machines', (filter, kept) =>
    expect(names(rowFilter(fleet, machineRows)(filter))).toEqual(kept),
  )

  it("adds the service's results once and prefers the local row", () => {
    const known = new Map(fleet.map((machine) => [machine.id, machine]))
    const found = [
      machineNamed('train-2', { status: 'running' }),
      machineNamed('beyond'),
      machineNamed('odd'),
    ]
    const merged = withFound(rowFilter(fleet, machineRows)('train'), found, (id) => known.get(id))
    expect(names(merged)).toEqual(['train-10', 'train-2', 'beyond', 'odd'])
    expect(merged[1]?.status).toBe('stopped')
    expect(merged[3]?.status).toBe('Migrating_v2')
  })
})

describe('the order', () => {
  const sorted = (key: MachineColumn, descending = false) =>
    names(sortedBy(fleet, machineRows, { key, descending }))

  it('sorts numbers in names as numbers', () => {
    expect(sorted('name').filter((name) => name.startsWith('train'))).toEqual(['train-2', 'train-10'])
  })
  it('puts running machines first', () => {
    expect(sorted('state')).toEqual(['train-10', '夜间评测', 'fresh', 'train-2', 'odd'])
  })
  it('puts unknown values last in both directions', () => {
    expect(sorted('address').at(-1)).toBe('fresh')
    expect(sorted('address', true).at(-1)).toBe('fresh')
    expect(sorted('flavor').at(-1)).toBe('夜间评测')
  })
  it('sorts addresses by their numbers', () => {
    expect(sorted('address').slice(0, 2)).toEqual(['train-10', 'train-2'])
  })
  it('starts with the shortest uptime, and puts stopped machines last', () => {
    expect(sorted('uptime').slice(0, 3)).toEqual(['夜间评测', 'odd', 'train-10'])
    expect(sorted('uptime', true)[0]).toBe('train-10')
  })
  it('sorts by known costs and loads', () => {
    const figures = machineRowsWith({
      amount: (id, which) =>
        which === 'perHour' && id !== 'odd'
          ? { currency: id === 'fresh' ? 'EUR' : 'USD', millionths: id === 'train-2' ? 2 : 1 }
          : null,
      load: (id) => (id === 'odd' ? 90 : null),
    })
    const by = (key: MachineColumn) => names(sortedBy(fleet, figures, { key, descending: true }))
    expect(by('perHour')).toEqual(['train-2', 'train-10', '夜间评测', 'fresh', 'odd'])
    expect(by('load')[0]).toBe('odd')
  })
  it('does not change the given list', () => {
    sortedBy(fleet, machineRows, { key: 'name', descending: true })
    expect(fleet[0]?.name).toBe('train-10')
  })
})

describe('the statuses', () => {
  it("are sorted with running ones first, in the service's spelling", () => {
    expect(statusOrder([...new Set(fleet.map(statusOf))])).toEqual([
      'running',
      'creating',
      'stopped',
      'Migrating_v2',
    ])
  })
})

describe('the texts', () => {
  it('show an unknown status as reported', () => {
    expect(statusText('RUNNING')).toBe('Running')
    expect(statusText('Migrating_v2')).toBe('Migrating_v2')
    expect(statusText('constructor')).toBe('constructor')
    expect(statusText(null)).toBe('Unknown')
  })
  it('show the reported hardware', () => {
    expect(gpuText(flavor)).toBe('8 × H100')
    expect(gpuText({ ...flavor, gpuCount: null })).toBe('H100')
    expect(gpuText({ ...flavor, gpuCount: 0.5 })).toBe('0.5 × H100')
    expect(gpuText({ ...flavor, gpu: 'NVIDIA H100' })).toBe('8 × NVIDIA H100')
    expect(shortGpuText({ ...flavor, gpu: 'NVIDIA H100 80GB SXM' })).toBe('8 × H100 80GB SXM')
    expect(shortGpuText({ ...flavor, gpu: 'NVIDIA' })).toBe('8 × NVIDIA')
    expect(gpuText({ ...flavor, gpu: '', gpuCount: 0 })).toBeNull()
    expect(hardwareText(flavor)).toBe('208 cores · 1,800 GB RAM · 2,000 GB disk')
    expect(hardwareText({ ...flavor, cpu: 1, ram: null, disk: null })).toBe('1 core')
    expect(hardwareText({ ...flavor, cpu: null, ram: null, disk: null })).toBeNull()
    // Non-breaking spaces keep each fact on one line.
    const facts = ['8 × H100', '208 cores', '1,800 GB', 'DALLAS'].map((one) => one.replaceAll(' ', '\u00a0'))
    expect(summaryText(machineNamed('any'))).toBe(facts.join(' · '))
  })
})

describe('the columns', () => {
  const fitting = (width: number) => columnsThatFit(machineColumns(), width)
  const keys = (width: number) => fitting(width).map(({ key }) => key)

  it('are all visible in a wide window', () => {
    expect(keys(1300)).toEqual([
      'name',
      'state',
      'flavor',
      'gpu',
      'perHour',
      'load',
      'region',
      'address',
      'uptime',
      'soFar',
    ])
  })
  it('hide by their drop order', () => {
    expect(keys(776)).toEqual(['name', 'state', 'gpu', 'perHour', 'load', 'address'])
    expect(keys(556)).toEqual(['name', 'state', 'gpu', 'perHour'])
  })
  it('widen the name with free space only, up to the longest name', () => {
    const least = fitting(1300).reduce((sum, { min }) => sum + min, 0)
    const nameMin = (wanted: number) => withWideName(fitting(1300), 1300, wanted)[0]?.min
    expect(nameMin(0)).toBe(140)
    expect(nameMin(160)).toBe(Math.min(160, 140 + 1300 - least))
    expect(nameMin(5_000)).toBe(140 + 1300 - least)
  })
  it('always include the name and the state', () => {
    expect(keys(10)).toEqual(['name', 'state'])
    expect(gridTemplate(fitting(10), 32, 92)).toBe('32px minmax(0, 1fr) 136px 92px')
    expect(gridTemplate(fitting(416), 32, 92)).toMatch(
      /^32px minmax\(140px, 3fr\) minmax\(136px, 1fr\) .* 92px$/,
    )
  })
})
