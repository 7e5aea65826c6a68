// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { h } from 'vue'
import { eachSeries, type MetricsView, packSeries } from '#shared/bridge/metrics'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import MetricCharts from './MetricCharts.vue'

let window: Mounted
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(644)
})
afterEach(() => {
  window.unmount()
  vi.restoreAllMocks()
})

const range = { from: now - 3_600, to: now }
const view = (points = 60): MetricsView => ({
  asOf: now,
  whole: range,
  points,
  unusable: 0,
  step: 60,
  units: { cpu: '%', memory: null, disk: 'GB', network: 'GB' },
  series: packSeries(
    eachSeries(() => ({
      times: Float64Array.from({ length: points }, (_, at) => range.from + at * 60),
      values: new Float64Array(points).fill(50),
    })),
    range.from,
  ),
})
const machines = [
  { id: 'm-1', name: 'train-1' },
  { id: 'm-2', name: 'train-2' },
]

async function open(count: number, read: Handlers['metrics.read']) {
  window = await mounted(
    () =>
      h(MetricCharts, {
        account,
        machines: machines.slice(0, count),
        period: '1h',
        height: 84,
        heading: 'h3',
      }),
    { 'metrics.read': read, 'metrics.look': () => undefined },
  )
}
const asked = () => window.main.calls.flatMap(([name, input]) => (name === 'metrics.read' ? [input] : []))
const titles = () => window.all('.metrics h3').map((one) => one.textContent?.trim())

describe('MetricCharts', () => {
  it('requests the width in pixels and shows each chart with its title and unit', async () => {
    await open(1, () => view())
    expect(asked()).toEqual([
      { account, machine: 'm-1', period: '1h', range: null, width: 600, fresh: false },
    ])
    const name = (group: 'cpu' | 'memory' | 'disk' | 'network') => t(`metrics.groups.${group}`)
    expect(titles()).toEqual([
      t('metrics.withUnit', { name: name('cpu'), unit: '%' }),
      name('memory'),
      t('metrics.withUnit', { name: name('disk'), unit: 'GB' }),
      t('metrics.withUnit', { name: name('network'), unit: 'GB' }),
    ])
  })

  it('reports that there are no measurements yet', async () => {
    await open(1, () => view(0))
    expect(titles()).toEqual([t('metrics.none.title')])
  })

  it('shows the charts with the name of the unread machine, which can be retried', async () => {
    let isRefused = true
    await open(2, ({ machine }) => {
      if (machine === 'm-2' && isRefused) throw new FailureError({ kind: 'offline' })
      return view()
    })
    expect(titles()).toHaveLength(4)
    expect(window.text()).toContain(t('metrics.notRead', { machines: 'train-2' }))
    isRefused = false
    await window.click(t('common.actions.retry'))
    expect(asked().slice(-2)).toMatchObject([
      { machine: 'm-1', fresh: true },
      { machine: 'm-2', fresh: true },
    ])
    expect(window.all('.failure')).toEqual([])
  })

  it('reads again when main has new data of these machines only', async () => {
    await open(1, () => view())
    const looked = { account, machines: ['m-1'], period: '1h' as const }
    expect(window.main.calls).toContainEqual(['metrics.look', { ...looked, looking: true }])
    window.main.emit('metrics.changed', { ...looked, machines: ['m-9'] })
    await window.settled()
    expect(asked()).toHaveLength(1)
    window.main.emit('metrics.changed', looked)
    await window.settled()
    expect(asked()).toHaveLength(2)
  })
})
