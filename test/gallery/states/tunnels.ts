import { h } from 'vue'
import type { SshLink } from '#shared/bridge/ssh-link'
import type {
  ForwardState,
  ForwardView,
  ServicesReport,
  ServicesView,
  ServiceView,
} from '#shared/bridge/tunnel'
import { FailureError } from '#shared/failure'
import ForwardList from '../../../src/renderer/features/tunnels/ForwardList.vue'
import PortRow from '../../../src/renderer/features/tunnels/PortRow.vue'
import ServiceList from '../../../src/renderer/features/tunnels/ServiceList.vue'
import ServicesTab from '../../../src/renderer/features/tunnels/ServicesTab.vue'
import { fill, entry, submit, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, now } from '../world'

const connected: SshLink = { kind: 'connected' }
const service = (port: number, name: string | null, process: string | null): ServiceView => ({
  port,
  name,
  process,
})
const listed = (...services: readonly ServiceView[]): Extract<ServicesReport, { kind: 'services' }> => ({
  kind: 'services',
  services: [...services],
  more: false,
})
const usual = listed(
  service(6006, 'TensorBoard', 'tensorboard'),
  service(8888, 'Jupyter', 'jupyter-lab'),
  service(53, null, null),
  service(4040, null, 'java'),
)
const hostile = {
  ...listed(
    service(1, null, texts.html),
    service(2, null, texts.control),
    service(3, null, texts.rtl),
    service(65_535, 'Jupyter', texts.long),
    service(4, null, texts.huge),
  ),
  more: true,
}
const forward = (port: number, state: ForwardState, changes: Partial<ForwardView> = {}): ForwardView => ({
  id: String(port),
  account,
  machine: 'm-train',
  machineName: 'train-llama-01',
  port,
  name: null,
  localPort: port,
  wishedPort: port,
  saved: false,
  state,
  ...changes,
})
const open = forward(8888, { kind: 'open' }, { name: 'Jupyter', localPort: 8889 })

const refused = (): never => {
  throw new FailureError({ kind: 'local-fault', action: 'Forward', reason: '50 ports are forwarded.' })
}
const tab = (changes: Partial<ServicesView>, more: Partial<GalleryState> = {}): GalleryState => ({
  width: 420,
  render: () => h(ServicesTab, { account, machine: machine() }),
  ...more,
  handlers: {
    'tunnel.look': () => ({
      account,
      machine: 'm-train',
      link: connected,
      report: null,
      ...changes,
    }),
    ...more.handlers,
  },
})
const list = (services: readonly ServiceView[], opening: number | null = null): GalleryState => ({
  width: 420,
  render: () => h(ServiceList, { report: listed(...services), opening }),
})
const forwards = (...all: readonly ForwardView[]): GalleryState => ({
  width: 420,
  render: () => h(ForwardList, { forwards: all, named: true }),
})

export default [
  entry(ServicesTab, {
    usual: tab({ report: usual }),
    'not asked yet': tab({ link: { kind: 'off', why: 'no-consent' } }),
    looking: tab({ link: { kind: 'connecting' } }),
    'not running': tab({ link: { kind: 'off', why: 'not-running' } }),
    waiting: tab({ link: { kind: 'waiting', until: now + 9, attempts: 2, reason: 'ECONNREFUSED' } }),
    'no key': tab({ link: { kind: 'stopped', stop: { kind: 'no-key' } } }),
    'host key changed': tab({
      link: {
        kind: 'stopped',
        stop: { kind: 'host-key-changed', host: 'h', known: 'SHA256:A', offered: 'SHA256:B' },
      },
    }),
    'host key not confirmed': tab({
      link: { kind: 'host-key-unknown', host: 'h', type: 'ssh-ed25519', fingerprint: 'SHA256:A' },
    }),
    'not understood': tab({ report: { kind: 'not-understood' } }),
    'no answer': tab({ report: { kind: 'no-answer', seconds: 20 } }),
    hostile: tab({ report: hostile }),
    'no port': tab({ report: usual }, { act: async (stage) => (await fill(stage, '70000'), submit(stage)) }),
    failed: tab(
      { report: usual },
      {
        act: async (stage) => (await fill(stage, '4040'), submit(stage)),
        handlers: { 'tunnel.open': refused },
      },
    ),
  }),
  entry(PortRow, {
    long: {
      width: 420,
      render: () => h('ul', [h(PortRow, null, { words: () => texts.long, default: () => 'Stop' })]),
    },
  }),
  entry(ServiceList, {
    usual: list([...usual.services]),
    opening: list([...usual.services], 8888),
    'one address only': list([{ ...service(8888, 'Jupyter', 'jupyter-lab'), host: '10.0.0.5' }]),
    empty: list([]),
    'right to left': { ...list([service(8888, 'Jupyter', texts.rtl)]), rtl: true },
  }),
  entry(ForwardList, {
    usual: forwards(open, forward(4040, { kind: 'open' }, { saved: true })),
    troubled: forwards(
      forward(1, { kind: 'connecting' }),
      forward(2, { kind: 'unanswered' }),
      forward(3, { kind: 'prohibited' }),
      forward(4, { kind: 'waiting', until: now + 12 }),
      forward(5, { kind: 'not-running' }),
      forward(6, { kind: 'host-key-unknown' }),
      forward(7, { kind: 'stopped', stop: { kind: 'no-key' } }),
      forward(8, { kind: 'unasked' }, { saved: true }),
    ),
    hostile: forwards(
      forward(1, { kind: 'open' }, { machineName: texts.html }),
      forward(2, { kind: 'open' }, { machineName: texts.control }),
      forward(3, { kind: 'open' }, { machineName: texts.huge }),
    ),
  }),
]
