import type { AccountView } from '#shared/bridge/account'
import { Settings } from '#shared/bridge/app'
import type { Alert } from '#shared/bridge/alert'
import { Capabilities, CapabilityName, type CapabilityState } from '#shared/bridge/capability'
import type { Creation } from '#shared/bridge/creation'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { MachineView } from '#shared/bridge/fleet'
import type { Handlers } from '#shared/bridge/index'
import type { DeliveryTargets, NotificationEntry } from '#shared/bridge/notification'
import type { NetworkAccessView } from '#shared/bridge/network-access'
import type { SpendingView } from '#shared/bridge/cost'
import type { SshAliasesView } from '#shared/bridge/ssh-alias'
import type { LedgerState } from '#shared/bridge/store'
import type { WasteItem, WasteView } from '#shared/bridge/waste'
import { inOrder, isChecked, wasteTotals } from '#shared/money/waste'
import { connection, sshKeysView } from './ssh-views'
import { texts } from './texts'

/** Epoch seconds; a test that photographs the gallery holds the clock. */
export const now = Math.floor(Date.now() / 1000)
const hour = 3_600
const day = 86_400

export const account = 'acmelabs0001'
export const usd = (amount: number) => ({ currency: 'USD', millionths: Math.round(amount * 1_000_000) })

export const accountView = (changes: Partial<AccountView> = {}): AccountView => ({
  id: account,
  label: 'Acme Labs',
  baseUrl: 'https://api.example.com/api/v1',
  credential: 'password',
  username: 'anna',
  sandbox: false,
  state: 'signed-in',
  staysSignedIn: true,
  heldUntil: null,
  failure: null,
  ...changes,
})
export const sandboxAccount = accountView({
  id: 'sandbox00001',
  label: 'Sandbox',
  baseUrl: 'http://127.0.0.1:41234/api/v1',
  sandbox: true,
})

export const machine = (changes: Partial<MachineView> = {}): MachineView => ({
  id: 'm-train',
  name: 'train-llama-01',
  status: 'running',
  address: '203.0.113.21',
  username: 'ubuntu',
  hasPassword: true,
  keyName: 'lab-ed25519',
  startedAt: now - 3 * day,
  flavor: { name: 'gpu-8-h100', cpu: 208, ram: 1800, disk: 2000, gpu: 'H100', gpuCount: 8 },
  image: 'Ubuntu 24.04',
  region: 'DALLAS',
  more: [],
  ...changes,
})
export const creationView = (changes: Partial<Creation> = {}): Creation => ({
  id: 'c-1',
  account,
  kind: 'machine',
  name: 'm',
  sentAt: now,
  request: 'r1',
  flavor: 'f1',
  cause: null,
  state: { kind: 'created', machine: 'm-1', found: false },
  connect: 'none',
  services: 'none',
  usualSeconds: null,
  link: null,
  ...changes,
})
export const endRuleView = (changes: Partial<EndRuleView> = {}): EndRuleView => ({
  id: 'r-1',
  account,
  machine: 'm-train',
  name: 'train-llama-01',
  action: 'delete',
  when: { kind: 'at', at: now + 2 * hour },
  armedAt: now,
  agent: null,
  notBefore: 0,
  state: { kind: 'armed' },
  dueAt: now + 2 * hour,
  ...changes,
})
export const machines: readonly MachineView[] = [
  machine(),
  machine({ id: 'm-idle', name: 'notebook-anna', address: '203.0.113.44' }),
  machine({ id: 'm-new', name: 'eval-nightly', status: 'creating', address: null, startedAt: null }),
  machine({ id: 'm-off', name: 'archive', status: 'stopped' }),
  machine({ id: 'm-bad', name: 'render-7', status: 'error' }),
  machine({ id: 'm-odd', name: texts.rtl, status: 'reticulating splines' }),
  machine({ id: 'm-long', name: texts.long }),
  machine({ id: 'm-html', name: texts.html }),
  machine({ id: 'm-control', name: texts.control }),
]

export const sshAliasesView = (changes: Partial<SshAliasesView> = {}): SshAliasesView => ({
  enabled: false,
  included: false,
  config: '/home/anna/.ssh/config',
  file: '/home/anna/.ssh/wheelhouse.conf',
  line: 'Include wheelhouse.conf',
  aliases: [{ account, machine: 'm-train', alias: 'train-llama-01' }],
  leftOut: [],
  failure: null,
  ...changes,
})

export const alert = (id: string, cause: Alert['cause'], changes: Partial<Alert> = {}): Alert => ({
  id,
  account,
  cause,
  since: now - 2 * hour,
  snoozedUntil: null,
  ...changes,
})
export const alerts: readonly Alert[] = [
  alert('a-budget', { kind: 'budget-reached', month: '2026-03', spent: usd(5_210.4), budget: usd(5_000) }),
  alert('a-forecast', {
    kind: 'budget-forecast',
    month: '2026-03',
    forecast: usd(7_940),
    budget: usd(5_000),
  }),
  alert('a-hourly', { kind: 'hourly-limit', perHour: usd(42.5), limit: usd(40) }),
  alert('a-long', {
    kind: 'long-running',
    machine: 'm-train',
    name: 'train-llama-01',
    hours: 72,
    perHour: usd(19.92),
    cost: usd(1_434.24),
  }),
  alert('a-balance', {
    kind: 'balance-low',
    balance: usd(310),
    perHour: usd(42.5),
    left: 7.3 * hour,
    days: 3,
  }),
  alert('a-idle', {
    kind: 'idle',
    machine: 'm-idle',
    name: 'notebook-anna',
    cost: usd(38.2),
    use: 'held',
  }),
]

export const notification = (id: string, changes: Partial<NotificationEntry> = {}): NotificationEntry => ({
  id,
  at: now - 2 * hour,
  kind: 'job',
  title: 'train.py ended with exit code 0',
  body: 'train-llama-01, after 3 h 12 min. 63.74 USD.\nepoch 10/10: loss 0.1931',
  destination: { page: 'machines', account, machine: 'm-train' },
  account,
  isNew: true,
  ...changes,
})
export const deliveryTargets = (changes: Partial<DeliveryTargets> = {}): DeliveryTargets => ({
  webhook: null,
  mail: null,
  mailer: '/usr/sbin/sendmail',
  ...changes,
})

export const ledger = (changes: Partial<LedgerState> = {}): LedgerState => ({
  account,
  revision: 1,
  known: 18_204,
  total: 18_204,
  complete: true,
  reading: false,
  lastSync: now - 40,
  usageLastSync: now - 40,
  failure: null,
  ...changes,
})

export const spending: SpendingView = {
  account,
  sandbox: false,
  asOf: now - 20,
  timeZone: 'UTC',
  todayStart: now - (now % day),
  monthStart: now - 13 * day,
  monthEnd: now + 17 * day,
  history: 'complete',
  usageAsOf: now - 20,
  failure: null,
  running: { machines: 4, bareMetal: 0, volumes: 2, others: 0 },
  currencies: [
    {
      currency: 'USD',
      assumed: false,
      perHour: 42_500_000,
      today: { charged: 310_000_000, estimated: 18_400_000 },
      month: { charged: 5_180_000_000, estimated: 30_400_000 },
      lastMonth: { charged: 6_904_120_000, estimated: 0 },
      forecast: {
        total: 9_240_000_000,
        rest: 4_029_600_000,
        running: 6,
        perHour: 42_500_000,
        unpriced: 0,
        undated: 0,
      },
    },
  ],
}

export const wasteItem = (id: string, changes: Partial<WasteItem> = {}): WasteItem => ({
  id,
  name: id,
  reason: { kind: 'detached' },
  end: 'delete-volume',
  perHour: usd(0.42),
  perMonth: usd(302.4),
  soFar: usd(884.1),
  ...changes,
})
const wasted: WasteItem[] = [
  wasteItem('m-idle', {
    name: 'notebook-anna',
    end: 'delete-machine',
    soFar: usd(38.2),
    reason: { kind: 'idle', since: now - 5 * hour, held: 10_767 },
    perHour: usd(7.64),
    perMonth: usd(5_500.8),
  }),
  wasteItem('m-off', {
    name: 'archive',
    end: 'delete-machine',
    reason: { kind: 'stopped', status: 'stopped' },
    perHour: usd(1.38),
    perMonth: usd(993.6),
    soFar: usd(2_040.5),
  }),
]
export const wasteView = (items: readonly WasteItem[], id = account): WasteView => ({
  account: id,
  items: [...inOrder(items.filter(isChecked))],
  unchecked: [...inOrder(items.filter((item) => !isChecked(item)))],
  totals: [...wasteTotals(items.filter(isChecked))],
  ended: [],
  read: true,
  failure: null,
})

const status = { asOf: now - 12, reading: false, total: machines.length, failure: null }
/** The same state for everything beyond the specification. */
const capabilities = (state: CapabilityState): Capabilities =>
  Capabilities.parse(Object.fromEntries(CapabilityName.options.map((name) => [name, state])))
export const networkAccessView = (changes: Partial<NetworkAccessView> = {}): NetworkAccessView => ({
  proxy: { kind: 'system' },
  environment: null,
  malformedVariable: null,
  authorities: null,
  question: null,
  signIns: [],
  ...changes,
})

const usualSettings = {
  theme: 'system',
  terminal: null,
  terminalFontSize: 13,
  locale: 'system',
} as const

/** Default answers of the main process: one signed-in account with a lived-in fleet. */
export const world = {
  'app.info': () => ({
    version: '0.1.0',
    platform: 'linux',
    electron: '45.4.1',
    systemLocales: ['en-US'],
    loopbackOnly: false,
    keychain: 'available',
    keychainReason: null,
    crashedAt: null,
  }),
  'editors.list': () => [
    { id: 'vscode', name: 'VS Code' },
    { id: 'zed', name: 'Zed' },
  ],
  'terminal.sessions': () => [],
  'tunnel.forwards': () => [],
  'files.transfers': () => [],
  'settings.read': () => usualSettings,
  'settings.change': (changed) => Settings.parse({ ...usualSettings, ...changed }),
  'clipboard.write': () => undefined,
  'accounts.list': () => ({ accounts: [accountView(), sandboxAccount], selected: account }),
  'store.state': () => ({ kind: 'open', quarantined: null }),
  'store.quarantine': () => [],
  'ledger.state': (input) => ledger({ account: input.account }),
  'fleet.snapshot': (input) => ({
    account: input.account,
    revision: 1,
    machines: input.account === account ? [...machines] : [],
    status,
  }),
  'fleet.lastList': () => null,
  'bareMetal.snapshot': (input) => ({ account: input.account, revision: 1, instances: [], status }),
  'volumes.snapshot': (input) => ({
    account: input.account,
    revision: 1,
    volumes: [],
    status: { ...status, listed: true },
  }),
  'volumes.pendingCreations': () => [],
  // Input of one state may be saved only while the next is mounted.
  'creation.keepDraft': () => undefined,
  'creation.log': () => ({ kind: 'log', text: 'Get:1 noble InRelease [256 kB]', isCut: true }),
  'idle.settings': () => ({ threshold: 5, minutes: 60 }),
  'idle.list': (input) => ({
    gpus: [],
    machines:
      input.account === account
        ? [
            {
              machine: 'm-idle',
              name: 'notebook-anna',
              since: now - 5 * hour,
              use: 'held',
              held: { since: now - 4 * hour, mebibytes: 10_767 },
              basis: 'gpu',
              cost: usd(38.2),
              perHour: usd(7.64),
            },
            {
              machine: 'm-long',
              name: texts.long,
              since: now - 2 * day,
              use: 'cpu-idle',
              held: null,
              basis: 'unmonitored',
              cost: null,
              perHour: null,
            },
          ]
        : [],
    unmeasured: input.account === account ? ['m-html'] : [],
  }),
  'waste.list': (input) => wasteView(input.account === account ? wasted : [], input.account),
  'cost.active': () => [],
  'cost.resources': ({ account: id }) => ({
    account: id,
    asOf: now,
    history: 'complete',
    items: [],
    count: 0,
  }),
  'cost.currency': () => ({ currency: 'USD', chosen: false }),
  'cost.spending': (input) => ({ ...spending, account: input.account }),
  'agents.list': () => [],
  'agents.questions': () => [],
  'secret.questions': () => [],
  'alerts.list': (input) => (input.account === account ? [...alerts] : []),
  'alerts.limits': () => ({ budget: usd(5_000), perHour: usd(40), runningHours: 72, balanceDays: 3 }),
  'balance.read': () => null,
  'activity.list': () => [],
  'capabilities.read': () => capabilities('yes'),
  'notifications.history': () => [],
  'notifications.markSeen': () => undefined,
  'notifications.targets': () => deliveryTargets(),
  'networkAccess.read': () => networkAccessView(),
  'updates.read': () => ({ state: { kind: 'off', reason: 'checkout' }, automatic: true }),
  'notes.list': () => ({
    'm-train': { text: 'Restart with the new tokenizer on Monday.', tags: ['llama', 'team-nlp', texts.rtl] },
  }),
  'listViews.read': () => ({}),
  'listViews.change': () => undefined,
  'reminders.list': () => [],
  'endRules.list': () => [],
  'armedCreations.list': () => [],
  'templates.list': () => [],
  'templates.initScript': () => null,
  'plans.list': () => [],
  'plans.prepare': () => undefined,
  'plans.runHeld': () => undefined,
  'catalog.watches': () => [],
  'creation.list': () => [],
  'gpu.health': () => null,
  'checkUp.read': ({ account: id, machine: of }) => ({
    account: id,
    machine: of,
    running: null,
    reports: [],
    scripts: ['echo "== time"; date +%s'],
  }),
  'gpu.commands': () => ({
    nvidia: ['env LC_ALL=C nvidia-smi --query-gpu=index,uuid --format=csv'],
    details: ['env LC_ALL=C nvidia-smi pmon -c 1 -s um'],
    amd: ['env LC_ALL=C rocm-smi --showuse --json'],
    health: ['cat /proc/meminfo'],
  }),
  'jobs.list': () => [],
  'jobs.processes': () => ({ kind: 'processes', processes: [] }),
  'jobs.panes': () => ({ kind: 'panes', panes: [] }),
  'jobs.watch': () => ({ kind: 'refused', why: 'no-process' }),
  'jobs.log': () => ({ kind: 'none' }),
  'jobs.end': () => ({ kind: 'ended' }),
  'jobs.remove': () => undefined,
  'lastLook.branches': () => ({
    kind: 'read',
    remotes: [{ name: 'origin', url: 'git@example.com:lab/llama.git' }],
    branches: [{ ref: 'refs/heads/main', remote: 'origin', target: 'refs/heads/main', commits: 2 }],
  }),
  'lastLook.look': () => ({ kind: 'no-consent' }),
  'ssh.consents': ({ account: id }) => ({ account: id, everyMachine: {}, machines: {} }),
  'ssh.connection': (input) => connection({ machine: input.machine }),
  'sshAliases.read': () => sshAliasesView(),
  'sshAliases.preview': () =>
    ['# Written by Wheelhouse', '', 'Host train-llama-01', '  HostName 203.0.113.21', '  User ubuntu'].join(
      '\n',
    ),
  'loginItem.read': () => ({ kind: 'off' }),
  'askpass.questions': () => [],
  'askpass.state': () => ({ kept: 2, version: 'OpenSSH_9.6p1', asks: 'window' }),
  'sshKeys.list': () => sshKeysView(),
  'ssh.identities': () => [
    { path: '/home/anna/.ssh/lab-ed25519', type: 'ssh-ed25519', comment: 'anna@lab' },
    { path: '/home/anna/.ssh/id_rsa', type: 'ssh-rsa', comment: null },
  ],
} satisfies Partial<Handlers>
