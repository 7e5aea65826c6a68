// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { Settings } from '#shared/bridge/app'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import type { IdleMachine } from '#shared/bridge/idle'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { never } from '../../../../test/gallery/fake-main'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine, now, sandboxAccount, world } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import GpusPage from './GpusPage.vue'
import { gpuReading } from '../../../../test/fixtures/gpu-reading'

const gpu = (index: number, changes: Partial<GpuReading> = {}): GpuReading =>
  gpuReading({ id: `GPU-${String(index)}`, index, ...changes })
const viewOf = (id: string, gpus: readonly GpuReading[]): GpuView => ({
  account,
  machine: id,
  consent: true,
  link: { kind: 'connected' },
  report: {
    kind: 'gpus',
    tool: 'nvidia-smi',
    driver: null,
    gpus: [...gpus],
    processes: null,
    isDetailed: false,
    said: null,
  },
  at: now - 10,
})
const listed = [
  machine({ id: 'm-1', name: 'train' }),
  machine({ id: 'm-2', name: 'serve' }),
  machine({ id: 'm-3', name: 'spare', flavor: { ...machine().flavor, gpuCount: 1 } }),
]
const views = [
  viewOf('m-1', [gpu(0, {}), gpu(1, { temperature: 86 })]),
  viewOf('m-2', [gpu(0, { utilization: 0 }), gpu(1, { utilization: 0, memoryUsed: 400 })]),
]

const unused: IdleMachine = {
  machine: 'm-2',
  name: 'serve',
  since: now - 7_200,
  use: 'held',
  held: { since: now - 7_200, mebibytes: 76_500 },
  basis: 'gpu',
  cost: null,
  perHour: null,
}

let window: Mounted
afterEach(() => window.unmount())
const open = async (handlers: Partial<Handlers> = {}) => {
  window = await mounted(() => h(GpusPage), {
    'fleet.snapshot': (input) => ({ ...world['fleet.snapshot'](input), machines: listed }),
    'gpu.fleet': () => views,
    'idle.list': () => ({
      machines: [unused],
      gpus: (['held', 'idle'] as const).map((use, index) => ({ ...unused, index, use })),
      unmeasured: ['m-3'],
    }),
    'idle.settings': () => ({ threshold: 5, minutes: 60 }),
    ...handlers,
  })
}
const names = () =>
  window.all('li a').map((tile) => tile.textContent?.replace(/\s+/g, ' ').trim().split('%')[0] ?? '')
const totals = () => window.all('dl > div').map((total) => total.textContent)

describe('the page of all GPUs', () => {
  it('shows a tile for every GPU and totals by use', async () => {
    await open()
    expect(names()).toHaveLength(5)
    expect(totals()).toEqual([
      expect.stringContaining('2 GPUs'),
      expect.stringContaining('1 GPU'),
      expect.stringContaining('1 GPU'),
      expect.stringContaining('1 GPU'),
    ])
  })

  it('counts every machine that a tile shows as not monitored', async () => {
    await open()
    const isUnmonitored = (name: string) => name.includes(t('gpus.notMonitored'))
    expect(names().filter(isUnmonitored)).toHaveLength(1)
    expect(window.text()).toContain(t('gpus.unmonitored', { count: 1 }, 1))
  })

  it('filters by use and by text, and stores the choice without the text', async () => {
    let stored: unknown
    await open({
      'settings.change': (change) => {
        stored = change
        return Settings.parse(change)
      },
    })
    await window.click(window.named(/^Hot/))
    expect(names()).toHaveLength(1)
    expect(stored).toEqual({ gpuList: { group: 'hot', sorting: 'machine', descending: false } })
    await window.click(window.named(/^All/))
    const [filter] = window.all('input')
    if (!filter) expect.fail()
    await window.type(filter, 'serve')
    expect(names()).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain('serve')
    window.unmount()
    await open({
      'settings.read': () => ({
        theme: 'system',
        terminal: null,
        terminalFontSize: 13,
        locale: 'system',
        gpuList: { group: 'held', sorting: 'work', descending: true },
      }),
    })
    expect(window.named(/^Held/).getAttribute('aria-checked')).toBe('true')
    expect(names()).toHaveLength(1)
  })

  it('remembers the typed text of each account for itself', async () => {
    await open({ 'accounts.select': () => undefined })
    const [filter] = window.all('input')
    if (!(filter instanceof HTMLInputElement)) expect.fail()
    await window.type(filter, 'serve')
    await useAccounts().select(sandboxAccount.id)
    await window.settled()
    expect(
      window.all('input').map((field) => (field instanceof HTMLInputElement ? field.value : null)),
    ).toEqual([''])
    await useAccounts().select(account)
    await window.settled()
    expect(names()).toHaveLength(2)
  })

  it('moves between tiles with the arrow keys, with one tab stop', async () => {
    await open()
    const stops = () => window.all('li a[tabindex="0"]')
    const [first] = stops()
    if (!first) expect.fail()
    first.focus()
    await window.press(first, 'ArrowRight')
    await window.settled()
    expect(stops()).toHaveLength(1)
    expect(document.activeElement).not.toBe(first)
    expect(document.activeElement).toBe(stops()[0])
  })

  it('draws only the tiles in view of a fleet of 300 machines', async () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      machine({ id: `m-${String(at)}`, name: `n${String(at)}` }),
    )
    await open({
      'fleet.snapshot': (input) => ({ ...world['fleet.snapshot'](input), machines: many }),
      'idle.list': () => ({ machines: [], gpus: [], unmeasured: [] }),
      'gpu.fleet': () =>
        many.map(({ id }) =>
          viewOf(
            id,
            Array.from({ length: 8 }, (_, at) => gpu(at, {})),
          ),
        ),
    })
    expect(totals()[0]).toContain('2,400 GPUs')
    expect(names().length).toBeGreaterThan(0)
    expect(names().length).toBeLessThan(100)
  })

  it('shows that it loads, and offers to try again', async () => {
    await open({ 'gpu.fleet': () => never })
    expect(window.find('[role=status][aria-label="Loading GPUs…"]')).toBeDefined()
    window.unmount()
    await open({
      'gpu.fleet': () => {
        throw new FailureError({ kind: 'disk-full' })
      },
    })
    expect(window.named('Try again')).toBeDefined()
  })

  it('offers all GPUs if the filter matches none', async () => {
    await open()
    await window.click(window.named(/^Errors/))
    expect(window.text()).toContain('No matching GPUs')
    await window.click(window.named('Show all GPUs'))
    expect(names()).toHaveLength(5)
  })
})
