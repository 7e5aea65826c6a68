import { Power, Trash2 } from '@lucide/vue'
import { h } from 'vue'
import { gpuSpans, type GpuProcess, type GpuReading, type GpuReport, type GpuView } from '#shared/bridge/gpu'
import type { EndOutcome } from '#shared/bridge/process'
import { type SshLink } from '#shared/bridge/ssh-link'
import { eachSeries, packSeries, type MetricsView } from '#shared/bridge/metrics'
import { FailureError } from '#shared/failure'
import GpuBar from '../../../src/renderer/features/gpu/GpuBar.vue'
import EndProcessDialog from '../../../src/renderer/features/gpu/EndProcessDialog.vue'
import GpuCard from '../../../src/renderer/features/gpu/GpuCard.vue'
import GpuHistory from '../../../src/renderer/features/gpu/GpuHistory.vue'
import GpuNotice from '../../../src/renderer/features/gpu/GpuNotice.vue'
import GpuProcesses from '../../../src/renderer/features/gpu/GpuProcesses.vue'
import GpuTab from '../../../src/renderer/features/gpu/GpuTab.vue'
import IdleAlertActions from '../../../src/renderer/features/gpu/IdleAlertActions.vue'
import { gpuUses } from '../../../src/renderer/features/gpu/gpu-use'
import UseMark from '../../../src/renderer/features/gpu/UseMark.vue'
import { useGpus } from '../../../src/renderer/stores/gpus'
import IdleNotice from '../../../src/renderer/features/gpu/IdleNotice.vue'
import MachineStateCell from '../../../src/renderer/features/gpu/MachineStateCell.vue'
import type { GpuMachine } from '../../../src/renderer/features/metrics/gpu-lines'
import MetricCharts from '../../../src/renderer/features/metrics/MetricCharts.vue'
import MetricsFooter from '../../../src/renderer/features/metrics/MetricsFooter.vue'
import MetricsTools from '../../../src/renderer/features/metrics/MetricsTools.vue'
import { unread } from '../../../src/renderer/features/metrics/metric-lines'
import { never } from '../fake-main'
import { entry, part, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, machines, now, wasteItem, wasteView } from '../world'
import { gpuReading } from '../../fixtures/gpu-reading'

const gpu = (index: number, changes: Partial<GpuReading> = {}): GpuReading =>
  gpuReading({
    id: `GPU-${String(index)}`,
    index,
    samples: { seconds: 14, max: 99, average: 93, video: 0 },
    activity: { kind: 'measured', sm: 96, tensor: 93, memory: 16, encoder: 0, decoder: 0 },
    ...changes,
  })
const card = (changes: Partial<GpuReading>) => () =>
  h('ul', [h(GpuCard, { gpu: gpu(0, changes), unused: null, isCurrent: true })])
const process = (pid: number, changes: Partial<GpuProcess> = {}): GpuProcess => ({
  gpu: 'GPU-0',
  pid,
  name: 'python3',
  memory: 12,
  share: null,
  user: null,
  command: null,
  seconds: null,
  start: null,
  ...changes,
})
const processes = [
  process(48_213, {
    name: 'python3',
    memory: 76_100,
    share: 70,
    user: 'anna',
    command: 'python3 train.py --config llama.yaml --api-key=•••',
    seconds: 7_300,
    start: '89123',
  }),
  process(51, { gpu: 'GPU-1', name: texts.html, memory: 'no-permission' }),
  process(7, { gpu: 'GPU-gone', name: texts.control, user: texts.control, command: texts.long }),
]
const ending =
  (changes: Partial<GpuProcess> = {}) =>
  () =>
    h(EndProcessDialog, {
      account,
      machine: machine(),
      process: process(48_213, { user: 'anna', start: '89123', command: 'python3 train.py', ...changes }),
    })
/** The dialog after its first button was used, with this result. */
const ended = (outcome: EndOutcome): GalleryState => ({
  handlers: { 'process.end': () => outcome },
  render: ending(),
  act: (stage) => stage.querySelector<HTMLElement>('[type=submit]')?.click(),
})
const report: GpuReport = {
  kind: 'gpus',
  tool: 'nvidia-smi',
  driver: '570.86.15',
  gpus: [gpu(0), gpu(1, { utilization: 2, throttle: ['software-thermal'] })],
  processes,
  isDetailed: true,
  said: null,
}
const view = (link: SshLink, answered: GpuReport | null): GpuView => ({
  account,
  machine: 'm-train',
  consent: true,
  link,
  report: answered,
  at: answered === null ? null : now - 2,
})
const history = (kept: boolean) => () => ({
  period: 60,
  kept,
  gpus: [0, 1].map((index) => {
    const time = Float64Array.from({ length: 60 }, (_, at) => now - 3_600 + at * 60)
    const wave = (scale: number) =>
      Float64Array.from(time, (_, at) => scale * (0.5 + 0.5 * Math.abs(Math.sin(at / 9 + index))))
    const [utilization, memory, temperature, power] = [wave(95), wave(90), wave(70), wave(650)]
    return { gpu: `GPU-${String(index)}`, index, time, utilization, memory, temperature, power }
  }),
})
const tab = (link: SshLink, answered: GpuReport | null = null): GalleryState => ({
  render: () => h(GpuTab, { account, machine: machine() }),
  handlers: { 'gpu.look': () => view(link, answered), 'gpu.history': history(true) },
})
const said = 'NVRM: GPU at PCI:0000:1b:00 has fallen off the bus'
const connected = { kind: 'connected' } as const
const stopped = (stop: Extract<SshLink, { kind: 'stopped' }>['stop']) => tab({ kind: 'stopped', stop })

const cell =
  (id: string, shown = machines.find((one) => one.id === id) ?? machine()) =>
  () =>
    h('div', { style: { display: 'flex', gap: '8px', alignItems: 'center' } }, [
      h(MachineStateCell, { account, machine: shown }),
    ])
const actions = [
  { id: 'stop', label: 'Stop', icon: Power },
  { id: 'delete', label: 'Delete…', icon: Trash2, danger: true },
]

const range = { from: now - 3_600, to: now }
const load = (points: number): MetricsView => ({
  asOf: now - 20,
  whole: range,
  units: { cpu: '%', memory: 'GB', disk: 'MB', network: 'MB' },
  points,
  unusable: 0,
  step: 60,
  series: packSeries(
    eachSeries((key) => ({
      times: Float64Array.from({ length: points }, (_, at) => range.from + at * 60),
      values: Float64Array.from({ length: points }, (_, at) => 50 + 40 * Math.sin(at / 7 + key.length)),
    })),
    range.from,
  ),
})
const charts = (
  read: NonNullable<GalleryState['handlers']>['metrics.read'],
  count = 1,
  gpus: readonly GpuMachine[] = [],
): GalleryState => ({
  handlers: { 'metrics.look': () => undefined, ...(read && { 'metrics.read': read }) },
  render: () =>
    h(MetricCharts, {
      account,
      machines: machines.slice(0, count),
      period: '1h',
      gpus,
      height: 84,
      heading: 'h3',
    }),
})
const footer = (others: object) => () =>
  h(MetricsFooter, { views: () => [], range: () => range, zoomed: false, ...others })
const read = { ...unread, asOf: now - 20, whole: range, points: 43_200 }

export default [
  entry(UseMark, Object.fromEntries(gpuUses.map((use) => [use, () => h(UseMark, { use })]))),
  entry(GpuBar, {
    usual: () => h(GpuBar, { name: 'Load', share: 0.93, value: { text: '93 %', why: null } }),
    memory: () =>
      h(GpuBar, { name: 'Memory', share: 0.5, value: { text: '40 of 80 GiB', why: null }, tone: 'memory' }),
    unknown: () =>
      h(GpuBar, { name: 'Load', share: null, value: { text: '–', why: 'The driver does not say.' } }),
  }),
  entry(GpuCard, {
    usual: card({}),
    idle: () =>
      h('ul', [
        h(GpuCard, {
          gpu: gpu(1, { utilization: 0, memoryUsed: 10_767 }),
          unused: {
            machine: 'm-train',
            index: 1,
            since: now - 7_200,
            use: 'held',
            held: { since: now - 7_200, mebibytes: 10_767 },
            basis: 'gpu',
          },
          isCurrent: true,
        }),
      ]),
    bursts: card({ utilization: 0, samples: { seconds: 14, max: 89, average: 2, video: 0 } }),
    estimated: card({ activity: { kind: 'estimated', share: 8 } }),
    'not measured': card({ activity: null }),
    instances: card({
      mig: true,
      utilization: 'not-supported',
      instances: [
        { profile: '3g.40gb', memoryUsed: 31_200, memoryTotal: 40_448 },
        { profile: '1g.10gb', memoryUsed: 13, memoryTotal: 10_112 },
        { profile: '1g.10gb', memoryUsed: 'not-available', memoryTotal: 'not-available' },
      ],
    }),
    'shared memory': card({ name: 'NVIDIA GB10', memoryUsed: 'not-available', memoryTotal: 'not-available' }),
    'share of a GPU': card({ name: 'NVIDIA A10-8Q' }),
    throttled: card({ throttle: ['hardware-thermal', 'power-cap', 'hardware-slowdown'] }),
    errors: card({ eccUncorrected: 3, eccCorrected: 41 }),
    split: card({ mig: true, utilization: 'not-supported' }),
    'nothing known': card({
      utilization: 'error',
      memoryUsed: 'no-permission',
      temperature: 'not-available',
      power: 'decimal-comma',
      clock: 'not-understood',
    }),
    hostile: card({ name: texts.control }),
  }),
  entry(GpuHistory, {
    usual: {
      handlers: { 'gpu.history': history(true) },
      render: () => h(GpuHistory, { account, machine: 'm-train', name: 'train-llama-01', at: now - 2 }),
    },
    'not kept': {
      handlers: { 'gpu.history': history(false) },
      render: () => h(GpuHistory, { account, machine: 'm-train', name: 'train-llama-01', at: now - 2 }),
    },
    nothing: {
      handlers: { 'gpu.history': () => ({ period: gpuSpans[0], kept: true, gpus: [] }) },
      render: () => h(GpuHistory, { account, machine: 'm-train', name: 'train-llama-01', at: now - 2 }),
    },
  }),
  entry(GpuNotice, {
    trouble: () =>
      h(GpuNotice, { words: { title: 'No driver', text: said, next: 'Install it, then try again.' } }),
    calm: () =>
      h(GpuNotice, { calm: true, words: { title: 'No GPUs', text: 'This machine has none.', next: null } }),
    'login output': () =>
      h(GpuNotice, {
        words: { title: 'Slow login', text: said, next: null, loginOutput: 'Welcome to the cluster\n' },
      }),
    hostile: () => h(GpuNotice, { words: { title: texts.long, text: texts.html, next: texts.control } }),
  }),
  entry(GpuProcesses, {
    usual: () => h(GpuProcesses, { isRead: true, processes, gpus: [gpu(0), gpu(1)] }),
    none: () => h(GpuProcesses, { isRead: true, processes: [], gpus: [gpu(0, { memoryUsed: 460 })] }),
    'in another container': () => h(GpuProcesses, { isRead: true, processes: [], gpus: [gpu(0)] }),
    unknown: () => h(GpuProcesses, { isRead: true, processes: null, gpus: [] }),
  }),
  entry(EndProcessDialog, {
    usual: ending(),
    stubborn: ended({ kind: 'running' }),
    refused: ended({ kind: 'refused', why: 'no-gpu' }),
    unanswered: ended({ kind: 'unanswered', state: { kind: 'timed-out', seconds: 20, mayRun: true } }),
    hostile: ending({ name: texts.html, command: texts.control }),
  }),
  entry(GpuTab, {
    usual: tab(connected, report),
    connecting: tab({ kind: 'connecting' }),
    'not asked yet': {
      ...tab({ kind: 'off', why: 'no-consent' }),
      handlers: { 'gpu.look': () => ({ ...view({ kind: 'off', why: 'no-consent' }, null), consent: false }) },
    },
    'not running': tab({ kind: 'off', why: 'not-running' }),
    waiting: tab({ kind: 'waiting', until: now + 30, attempts: 3, reason: 'ECONNREFUSED' }),
    'address refused': tab({ kind: 'waiting', until: now + 60, attempts: 1, reason: 'refused-for-a-while' }),
    'first contact': tab({
      kind: 'host-key-unknown',
      host: '203.0.113.21',
      type: 'ssh-ed25519',
      fingerprint: 'SHA256:AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg',
    }),
    'key refused': stopped({
      kind: 'key-refused',
      user: 'ubuntu',
      host: '203.0.113.21',
      keys: ['ssh-agent'],
    }),
    'too many keys': stopped({
      kind: 'key-refused',
      user: 'ubuntu',
      host: '203.0.113.21',
      keys: ['ssh-agent'],
      isCut: true,
    }),
    'a jump host that is not trusted': stopped({ kind: 'jump-untrusted', host: 'bastion:22' }),
    'no key': stopped({ kind: 'no-key' }),
    'keys of hardware': stopped({ kind: 'keys-unsupported', types: ['sk-ssh-ed25519@openssh.com'] }),
    'host key changed': stopped({
      kind: 'host-key-changed',
      host: 'h',
      known: 'SHA256:A',
      offered: 'SHA256:B',
    }),
    'user refused': stopped({ kind: 'user-refused', user: texts.long, why: 'ssh' }),
    'user of jump host': stopped({ kind: 'user-refused', user: 'CORP\\jane', why: 'jump-host' }),
    'too many': stopped({ kind: 'too-many', limit: 64 }),
    'no tool': tab(connected, { kind: 'no-tool', path: '/usr/local/bin:/usr/bin:/bin' }),
    'no driver': tab(connected, { kind: 'no-driver', said }),
    'lost GPU': tab(connected, { kind: 'gpu-lost', said }),
    'no answer': tab(connected, { kind: 'no-answer', seconds: 20 }),
    'slow login': tab(connected, { kind: 'slow-login', seconds: 20, loginOutput: texts.control }),
    'restricted shell': tab(connected, { kind: 'not-begun', why: 'restricted', said: texts.html }),
    'no commands': tab(connected, { kind: 'not-begun', why: 'refused', said: '' }),
    hostile: tab(connected, { kind: 'not-understood', said: texts.html }),
  }),
  entry(IdleAlertActions, {
    usual: () => h(IdleAlertActions, { account, machine: 'm-idle' }),
    'cannot be ended': {
      handlers: { 'waste.list': () => wasteView([wasteItem('m-idle', { end: 'elsewhere' })]) },
      render: () => h(IdleAlertActions, { account, machine: 'm-idle' }),
    },
  }),
  entry(IdleNotice, {
    usual: () => h(IdleNotice, { account, machine: machine({ id: 'm-idle' }), actions }),
    'held memory': {
      render: () => h(IdleNotice, { account, machine: machine({ id: 'm-idle' }), actions }),
      act: () => useGpus().load(account, 'm-idle'),
      handlers: {
        'gpu.state': (input) => ({
          ...view(connected, {
            ...report,
            gpus: [gpu(0, { utilization: 0, memoryUsed: 10_767, power: 123, idlePower: 71 })],
          }),
          machine: input.machine,
        }),
      },
    },
    'price unknown': () => h(IdleNotice, { account, machine: machine({ id: 'm-long' }), actions: [] }),
    busy: () => h(IdleNotice, { account, machine: machine(), actions }),
  }),
  entry(
    MachineStateCell,
    Object.fromEntries(
      ['m-train', 'm-idle', 'm-long', 'm-html', 'm-new', 'm-off', 'm-bad', 'm-odd'].map((id) => [
        id,
        cell(id),
      ]),
    ),
  ),
  entry(MetricCharts, {
    usual: charts(() => load(60)),
    compared: charts(() => load(60), 2),
    'with GPUs': charts(() => load(60), 2, [
      { name: 'train-llama-01', place: 0, curves: { step: 60, gpus: history(true)().gpus } },
    ]),
    reading: charts(() => never),
    nothing: charts(() => load(0)),
    failed: charts(() => {
      throw new FailureError({ kind: 'timed-out', host: 'api.example.com', seconds: 30 })
    }),
  }),
  entry(MetricsFooter, {
    usual: footer({ views: () => [read] }),
    zoomed: footer({ views: () => [{ ...read, unusable: 3 }], zoomed: true }),
    reading: footer({}),
  }),
  entry(MetricsTools, {
    usual: () =>
      h(MetricsTools, {
        account,
        machines: [machine()],
        range: null,
        picture: () => undefined,
        period: '1h',
      }),
    open: {
      render: () =>
        h(MetricsTools, {
          account,
          machines: [machine()],
          range: null,
          picture: () => undefined,
          period: '1h',
        }),
      act: (stage) => part(stage, 'button').click(),
    },
  }),
]
