import { Moon } from '@lucide/vue'
import { h } from 'vue'
import type { GpuAccountView } from '#shared/bridge/gpu'
import { FailureError } from '#shared/failure'
import NoticeBox from '../../../src/renderer/components/NoticeBox.vue'
import PanelNotice from '../../../src/renderer/components/PanelNotice.vue'
import SidePanel from '../../../src/renderer/components/SidePanel.vue'
import GpuCommands from '../../../src/renderer/features/gpu/GpuCommands.vue'
import GpuSection from '../../../src/renderer/pages/settings/GpuSection.vue'
import { draw, entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, now } from '../world'

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

export default [
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
