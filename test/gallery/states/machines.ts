import { h } from 'vue'
import type { CostDays, ResourceCost } from '#shared/bridge/cost'
import type { SshConnectionView } from '#shared/bridge/ssh'
import { FailureError } from '#shared/failure'
import { useSsh } from '../../../src/renderer/stores/ssh'
import ConnectBar from '../../../src/renderer/features/connection/ConnectBar.vue'
import ConnectionTab from '../../../src/renderer/features/connection/ConnectionTab.vue'
import HostKeyDialog from '../../../src/renderer/features/connection/HostKeyDialog.vue'
import IdentityRow from '../../../src/renderer/features/connection/IdentityRow.vue'
import DisabledReasonMark from '../../../src/renderer/features/connection/DisabledReasonMark.vue'
import UserDialog from '../../../src/renderer/features/connection/UserDialog.vue'
import UserQuestion from '../../../src/renderer/features/connection/UserQuestion.vue'
import CostChart from '../../../src/renderer/features/cost/CostChart.vue'
import ResourceCosts from '../../../src/renderer/features/cost/ResourceCosts.vue'
import { entry, part, type GalleryState } from '../state'
import { texts } from '../texts'
import { connection } from '../ssh-views'
import { account, machine, now } from '../world'

const bar =
  (changes: Parameters<typeof machine>[0] = {}) =>
  () =>
    h('div', [
      h(ConnectBar, { account, machine: machine(changes) }),
      h(ConnectionTab, { account, machine: machine(changes) }),
    ])
const answering = (changes: Partial<SshConnectionView>): GalleryState['handlers'] => ({
  'ssh.connection': ({ machine: id }) => connection({ machine: id, ...changes }),
})
const press = (stage: HTMLElement) => part(stage, 'button').click()
const tab =
  (changes: Parameters<typeof machine>[0] = {}) =>
  () =>
    h(ConnectionTab, { account, machine: machine(changes) })
const identity = (changes: Partial<SshConnectionView>) => () =>
  h('dl', [h(IdentityRow, { account, connection: connection(changes) })])

const changedKey = {
  host: '203.0.113.21',
  known: 'SHA256:AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg',
  offered: 'SHA256:ZyXwVuTsRqPoNmLkJiHgFeDcBa9876543210zyxwvut',
}
/** Another access to the same store, for dialogs that open automatically. */
const withSsh = (component: object, ask: (ssh: ReturnType<typeof useSsh>) => unknown): GalleryState => ({
  handlers: {},
  render: () => h({ setup: () => (ask(useSsh()), () => h(component)) }),
})

const day = 86_400
const start = now - (now % day) - 13 * day
const amounts = (scale: number, from: number, to: number) =>
  Float64Array.from({ length: 14 }, (_, at) =>
    at >= from && at < to ? scale * (1 + (at % 4)) * 1_000_000 : 0,
  )
const series = (share: CostDays['currencies'][number]['series'][number]['share'], scale: number) => {
  const charged = amounts(scale, 0, 13)
  const estimated = amounts(scale, 13, 14)
  return {
    share,
    charged,
    estimated,
    ahead: amounts(0, 0, 0),
    total: [...charged, ...estimated].reduce((sum, one) => sum + one, 0),
  }
}
const days = (...shown: CostDays['currencies'][number]['series']): CostDays => ({
  account,
  asOf: now - 20,
  timeZone: 'UTC',
  history: 'complete',
  starts: Float64Array.from({ length: 14 }, (_, at) => start + at * day),
  end: start + 14 * day,
  currencies: [{ currency: 'USD', assumed: false, series: shown }],
})
const chart = (shown: CostDays) => () =>
  h(CostChart, {
    label: 'Spent per day',
    days: shown,
    unit: 'day',
    currency: 'USD',
    perHour: null,
    height: 160,
  })
const cost: ResourceCost = {
  currency: 'USD',
  assumed: false,
  resource: {
    id: 'm-train',
    type: 'vm',
    name: 'train-llama-01',
    state: 'active',
    flavor: 'gpu-8-h100',
    gpu: 'H100',
    gpuCount: 8,
    region: 'DALLAS',
    createdAt: now - 3 * day,
    terminatedAt: null,
    firstSeen: null,
    lastSeen: null,
  },
  period: { charged: 310_000_000, estimated: 18_400_000 },
  seconds: 259_200,
  gpuHours: 576,
  perGpuHour: 2_490_000,
  life: 1_434_240_000,
  perHour: 19_920_000,
}
const costs = (items: readonly ResourceCost[]): GalleryState => ({
  render: () => h(ResourceCosts, { account, resource: 'm-train' }),
  handlers: {
    'cost.resources': () => ({
      account,
      asOf: now,
      history: 'complete',
      items: [...items],
      count: items.length,
    }),
    'cost.days': () => days(series({ kind: 'total' }, 6)),
  },
})

export default [
  entry(ConnectBar, {
    usual: bar(),
    'no address': bar({ id: 'm-new', address: null }),
    'no OpenSSH': { render: bar(), handlers: answering({ terminal: 'Wheelhouse', usesOwnClient: true }) },
    'no answer': {
      render: bar(),
      handlers: {
        'ssh.connect': () => {
          throw new FailureError({ kind: 'timed-out', host: '203.0.113.21', seconds: 10 })
        },
      },
      act: press,
    },
  }),
  entry(ConnectionTab, {
    usual: tab({ more: [{ path: 'host_id', value: 'h-19' }] }),
    'no user': {
      render: tab({ username: null, hasPassword: false, keyName: null }),
      handlers: answering({ user: null, command: null, hostKey: null, identityFile: null }),
    },
    hostile: {
      render: tab({ keyName: texts.html }),
      handlers: answering({ user: texts.html, command: texts.long.repeat(3), host: texts.control }),
    },
    failed: {
      render: tab(),
      handlers: {
        'ssh.connection': () => {
          throw new FailureError({ kind: 'local-fault', action: 'SSH', reason: 'EACCES: ~/.ssh/config' })
        },
      },
    },
  }),
  entry(HostKeyDialog, {
    changed: withSsh(HostKeyDialog, (ssh) => {
      ssh.reportChanged(account, 'm-train', changedKey)
    }),
    hostile: withSsh(HostKeyDialog, (ssh) => {
      ssh.reportChanged(account, texts.html, { ...changedKey, host: texts.html, offered: texts.long })
    }),
  }),
  entry(IdentityRow, {
    usual: identity({}),
    automatic: identity({ identityFile: null, settings: { user: null, port: null, identityFile: null } }),
    'a file elsewhere': identity({ identityFile: `/mnt/keys/${texts.long}` }),
  }),
  entry(DisabledReasonMark, {
    stopped: () => h(DisabledReasonMark, { machine: machine({ status: 'stopped' }) }),
    'no address': () => h(DisabledReasonMark, { machine: machine({ address: null }) }),
    'without a reason': () => h(DisabledReasonMark, { machine: machine() }),
  }),
  entry(UserDialog, {
    asked: () => h(UserDialog, { account, machine: machine() }),
    'nothing typed': {
      render: () => h(UserDialog, { account, machine: machine({ name: texts.html, image: null }) }),
      act: (stage) => part(stage, 'form').dispatchEvent(new Event('submit')),
    },
  }),
  entry(UserQuestion, {
    asked: withSsh(UserQuestion, (ssh) => ssh.askUser(account, machine())),
  }),
  entry(CostChart, {
    usual: chart(days(series({ kind: 'total' }, 40))),
    'by resource': chart(
      days(
        series({ kind: 'named', key: 'm-train', name: 'train-llama-01' }, 40),
        series({ kind: 'named', key: 'm-long', name: texts.long }, 18),
        series({ kind: 'named', key: 'm-html', name: texts.html }, 9),
        series({ kind: 'unknown' }, 5),
        series({ kind: 'others', count: 12 }, 7),
      ),
    ),
    nothing: chart(days(series({ kind: 'total' }, 0))),
  }),
  entry(ResourceCosts, {
    usual: costs([cost]),
    'nothing charged': costs([]),
    'fees unknown': costs([{ ...cost, assumed: true, perHour: null, life: null, perGpuHour: null }]),
    'two currencies': costs([cost, { ...cost, currency: 'EUR' }]),
    failed: {
      ...costs([]),
      handlers: {
        'cost.resources': () => {
          throw new FailureError({ kind: 'offline' })
        },
        'cost.days': () => days(series({ kind: 'total' }, 6)),
      },
    },
  }),
]
