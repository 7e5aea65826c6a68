import { Moon } from '@lucide/vue'
import { h } from 'vue'
import type { GpuAccountView, GpuReading } from '#shared/bridge/gpu'
import type { MachineUse } from '#shared/bridge/idle'
import { FailureError } from '#shared/failure'
import NoticeBox from '../../../src/renderer/components/NoticeBox.vue'
import PanelNotice from '../../../src/renderer/components/PanelNotice.vue'
import SidePanel from '../../../src/renderer/components/SidePanel.vue'
import GpuCommands from '../../../src/renderer/features/gpu/GpuCommands.vue'
import GpusPage from '../../../src/renderer/pages/gpus/GpusPage.vue'
import GpuSection from '../../../src/renderer/pages/settings/GpuSection.vue'
import { draw, entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine as machineOf, now, world } from '../world'
import { gpuReading } from '../../fixtures/gpu-reading'

const diskFull = (): never => {
  throw new FailureError({ kind: 'disk-full' })
}
const progress = (changes: Partial<GpuAccountView>): GalleryState => ({
  handlers: {
    'gpu.account': () => ({
      account,
      all: false,
      total: 0,
      read: 0,
      pending: 0,
      unread: [],
      excepted: [],
      ...changes,
    }),
  },
  render: () => h(GpuSection),
})
const machine = (name: string) => ({ id: `m-${name}`, name })
const stopped = (stop: Extract<GpuAccountView['unread'][number]['link'], { kind: 'stopped' }>['stop']) =>
  ({ link: { kind: 'stopped', stop }, report: null }) as const

const panel = (inPlace: boolean) =>
  draw(
    SidePanel,
    { label: 'Machine a', title: 'train-llama-01', summary: '8 × H100', closeLabel: 'Close' },
    {
      default: () => [
        h(PanelNotice, { inPlace }, () =>
          h(NoticeBox, { icon: Moon, role: 'status' }, () => h('p', { class: 'title' }, 'Idle for 5 h')),
        ),
        h('p', 'What the tab shows.'),
      ],
    },
  )

const gpuOf = (utilization: number, memoryUsed: number, temperature = 60): GpuReading =>
  gpuReading({
    utilization,
    memoryUsed,
    temperature,
    power: 420,
    eccUncorrected: temperature > 80 ? 2 : 0,
  })
/** Machines: their verdict and their last reading. */
const fleet: readonly (readonly [name: string, use: MachineUse | null, gpu: GpuReading | null])[] = [
  ['train-llama-01', null, gpuOf(97, 76_500, 86)],
  ['serve-embeddings', null, gpuOf(0, 70_100)],
  ['notebook-anna', 'held', gpuOf(0, 10_767, 34)],
  ['spare', 'idle', gpuOf(0, 0, 30)],
  ['spinning', 'barely-used', gpuOf(100, 575, 41)],
  ['eval-nightly', 'cpu-idle', null],
  [texts.long, null, null],
]
const listed = fleet.map(([name], at) =>
  machineOf({ id: `g-${at}`, name, flavor: { ...machineOf().flavor, gpuCount: 1 } }),
)
const gpuList: GalleryState = {
  width: 1_000,
  height: 560,
  handlers: {
    'fleet.snapshot': (input) => ({ ...world['fleet.snapshot'](input), machines: listed }),
    'idle.list': () => ({
      machines: fleet.flatMap(([name, use], at) =>
        use === null
          ? []
          : [
              {
                machine: `g-${at}`,
                name,
                since: now - 7_200,
                use,
                held: null,
                basis: 'gpu',
                cost: null,
                perHour: null,
              },
            ],
      ),
      gpus: fleet.flatMap(([, use], at) =>
        use === null || use === 'cpu-idle'
          ? []
          : [{ machine: `g-${at}`, index: 0, since: now - 7_200, use, held: null, basis: 'gpu' }],
      ),
      unmeasured: [],
    }),
    'gpu.fleet': () =>
      fleet.map(([, , gpu], at) => ({
        account,
        machine: `g-${at}`,
        consent: gpu !== null,
        link: gpu === null ? { kind: 'off', why: 'no-consent' } : { kind: 'connected' },
        report:
          gpu === null
            ? null
            : {
                kind: 'gpus',
                tool: 'nvidia-smi',
                driver: null,
                gpus: [gpu],
                processes: null,
                isDetailed: false,
                said: null,
              },
        at: gpu === null ? null : now - 20,
      })),
  },
  render: () => h(GpusPage),
}

export default [
  entry(GpusPage, { 'every use': gpuList }),
  entry(GpuCommands, {
    closed: () => h(GpuCommands),
    open: () => h(GpuCommands, { open: true }),
    failed: { render: () => h(GpuCommands), handlers: { 'gpu.commands': diskFull } },
  }),
  entry(PanelNotice, {
    'at the foot': { width: 420, height: 300, render: () => panel(false) },
    'in place': { width: 420, height: 300, render: () => panel(true) },
  }),
  entry(GpuSection, {
    off: progress({}),
    chosen: progress({ total: 2, read: 2 }),
    usual: progress({
      all: true,
      total: 40,
      read: 12,
      pending: 9,
      unread: [
        {
          link: { kind: 'off', why: 'not-running' },
          report: null,
          count: 14,
          machines: ['old-experiment', 'eval-nightly', 'notebook-jonas'].map(machine),
        },
        {
          ...stopped({ kind: 'key-refused', user: 'ubuntu', host: '203.0.113.21:22', keys: ['ssh-agent'] }),
          count: 3,
          machines: ['a100-box', texts.html, texts.rtl].map(machine),
        },
        {
          ...stopped({ kind: 'host-key-changed', host: 'h', known: 'SHA256:A', offered: 'SHA256:B' }),
          count: 1,
          machines: [machine('train-llama-02')],
        },
        {
          link: { kind: 'waiting', until: now + 30, attempts: 2, reason: 'ETIMEDOUT' },
          report: null,
          count: 1,
          machines: [machine(texts.long)],
        },
        {
          link: { kind: 'connected' },
          report: { kind: 'no-tool' },
          count: 1,
          machines: [machine('cpu-only')],
        },
      ],
      excepted: [machine('notebook-anna')],
    }),
    failed: { render: () => h(GpuSection), handlers: { 'gpu.account': diskFull } },
  }),
]
