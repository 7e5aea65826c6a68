import { h } from 'vue'
import BarChart from '../../../src/renderer/components/charts/BarChart.vue'
import ChartLegend from '../../../src/renderer/components/charts/ChartLegend.vue'
import ChartTable from '../../../src/renderer/components/charts/ChartTable.vue'
import ChartTip from '../../../src/renderer/components/charts/ChartTip.vue'
import EChart from '../../../src/renderer/components/charts/EChart.vue'
import PanelOverlay from '../../../src/renderer/components/charts/PanelOverlay.vue'
import Sparkline from '../../../src/renderer/components/charts/Sparkline.vue'
import type { TimeLine, TimePanel } from '../../../src/renderer/components/charts/time-line'
import TimePanels from '../../../src/renderer/components/charts/TimePanels.vue'
import TimeSeries from '../../../src/renderer/components/charts/TimeSeries.vue'
import { entry, part } from '../state'
import { texts } from '../texts'
import { now } from '../world'

const money = (value: number) => `${value.toFixed(2)} USD`
const percent = (value: number) => `${value.toFixed(0)} %`
const days = Array.from({ length: 14 }, (_, at) => `Mar ${String(at + 1)}`)
const wave = (at: number, scale: number) => Math.abs(Math.sin(at / 2)) * scale
const bars = (others: object) => () =>
  h(BarChart, {
    label: 'Spent per day',
    categories: days,
    categoryName: 'Day',
    series: [{ name: 'Charged', values: days.map((_, at) => 100 + wave(at, 300)) }],
    format: money,
    empty: 'Nothing was spent yet.',
    height: 160,
    ...others,
  })
const stacked = [
  { name: 'train-llama-01', values: days.map((_, at) => 80 + wave(at, 90)) },
  { name: texts.long, values: days.map((_, at) => wave(at + 3, 120)) },
  { name: 'Estimated', values: days.map((_, at) => (at > 11 ? 60 : null)), faint: true },
]

const range = { from: now - 3_600, to: now }
const line = (name: string, shift: number): TimeLine => ({
  name,
  times: Float64Array.from({ length: 120 }, (_, at) => range.from + at * 30),
  values: Float64Array.from({ length: 120 }, (_, at) =>
    at > 60 && at < 70 ? Number.NaN : 20 + 60 * Math.abs(Math.sin(at / 18 + shift)),
  ),
})
const series = (others: object) => () =>
  h(TimeSeries, {
    label: 'CPU of train-llama-01',
    lines: [line('CPU', 0)],
    range,
    format: percent,
    low: 0,
    high: 100,
    lineName: 'Line',
    empty: 'Nothing was recorded in this time.',
    height: 112,
    ...others,
  })
const panel = (key: string, lines: readonly TimeLine[]): TimePanel => ({
  key,
  label: key,
  lines,
  format: percent,
  axisFormat: String,
  low: 0,
})
const panels = (shown: readonly TimePanel[], others: object = {}) =>
  h(
    TimePanels,
    {
      source: { panels: () => shown, range: () => range },
      height: 96,
      head: 24,
      left: 44,
      lineName: 'Line',
      empty: 'Nothing was recorded in this time.',
      ...others,
    },
    { head: ({ panel: key }: { panel: string }) => h('h3', key) },
  )
const tip = (at: number, rows: number) => () =>
  h('div', { style: { position: 'relative', height: '150px' } }, [
    h(ChartTip, {
      at,
      width: 346,
      title: 'Saturday, March 14, 2026',
      rows: stacked.slice(0, rows).map(({ name }, index) => ({
        name,
        value: money(index * 31.5),
        color: 'var(--accent)',
      })),
      ...(rows > 1 && { total: { name: 'Total', value: money(94.5) } }),
    }),
  ])
const overlay = (lines: readonly TimeLine[], cursor: number | null) => () =>
  h('div', { style: { position: 'relative', height: '110px' } }, [
    h(PanelOverlay, {
      index: 0,
      source: { panels: () => [panel('CPU', lines)], range: () => range },
      box: { x: 40, y: 8, width: 300, height: 80 },
      width: 346,
      empty: 'Nothing was recorded in this time.',
      cursor,
    }),
  ])

export default [
  entry(BarChart, {
    usual: bars({}),
    stacked: bars({ series: stacked, totalName: 'Total' }),
    budget: bars({ marks: [{ name: 'Budget', value: 320 }] }),
    empty: bars({ series: [{ name: 'Charged', values: days.map(() => 0) }] }),
    'one bar': bars({ categories: ['Mar 14'], series: [{ name: 'Charged', values: [12] }] }),
    'pointed at': {
      render: bars({ series: stacked, totalName: 'Total' }),
      act: (stage) => part(stage, '.over').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' })),
    },
  }),
  entry(ChartLegend, {
    usual: () =>
      h(ChartLegend, {
        entries: [
          { name: 'Charged', color: 'var(--accent)' },
          { name: 'Estimated', color: 'var(--accent)', faint: true },
          { name: 'Written', color: 'var(--idle)', dashed: true },
        ],
      }),
    long: () => h(ChartLegend, { entries: [{ name: texts.long, color: 'var(--accent)' }] }),
    hostile: () => h(ChartLegend, { entries: [{ name: texts.html, color: 'var(--accent)' }] }),
  }),
  entry(ChartTable, {
    'for screen readers only': () =>
      h(ChartTable, {
        caption: 'Spent per day',
        table: { head: ['Day', 'Charged'], rows: [['Mar 1', '12']] },
      }),
  }),
  entry(ChartTip, { one: tip(40, 1), many: tip(170, 3), 'at the edge': tip(330, 2) }),
  entry(EChart, {
    empty: () => h(EChart, { label: 'Spent', option: {}, height: 80, empty: 'Nothing was spent yet.' }),
  }),
  entry(PanelOverlay, {
    cursor: overlay([line('CPU', 0)], now - 1_800),
    'cursor in a gap': overlay([line('CPU', 0), line('Memory', 1)], now - 1_650),
    nothing: overlay([], null),
  }),
  entry(Sparkline, {
    usual: () => h(Sparkline, { label: 'CPU', values: days.map((_, at) => wave(at, 100)) }),
    gap: () => h(Sparkline, { label: 'CPU', values: [10, 40, null, null, 70, 60, 90] }),
    flat: () => h(Sparkline, { label: 'CPU', values: [0, 0, 0, 0] }),
    nothing: () => h(Sparkline, { label: 'CPU', values: [] }),
  }),
  entry(TimePanels, {
    usual: () =>
      panels([panel('CPU', [line('CPU', 0)]), panel('Disk', [line('Read', 1), line('Written', 2)])]),
    waiting: () => panels([panel('CPU', [])], { waiting: true }),
    empty: () => panels([panel('CPU', [])]),
    cursor: () => panels([panel('CPU', [line('CPU', 0)])], { cursor: now - 900 }),
  }),
  entry(TimeSeries, {
    usual: series({}),
    several: series({ lines: [line('GPU 0', 0), line('GPU 1', 1), line(texts.long, 2)], legend: true }),
    empty: series({ lines: [] }),
    'pointed at': series({ cursor: now - 900 }),
  }),
]
