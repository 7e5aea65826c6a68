import { h } from 'vue'
import type { JobLog as LogReading, JobView } from '#shared/bridge/job'
import { FailureError } from '#shared/failure'
import JobList from '../../../src/renderer/features/jobs/JobList.vue'
import JobLog from '../../../src/renderer/features/jobs/JobLog.vue'
import JobsCard from '../../../src/renderer/features/jobs/JobsCard.vue'
import JobsTab from '../../../src/renderer/features/jobs/JobsTab.vue'
import LogTail from '../../../src/renderer/features/jobs/LogTail.vue'
import NotifyDialog from '../../../src/renderer/features/jobs/NotifyDialog.vue'
import StartJobDialog from '../../../src/renderer/features/jobs/StartJobDialog.vue'
import WatchDialog from '../../../src/renderer/features/jobs/WatchDialog.vue'
import { entry, type GalleryState } from '../state'
import { texts } from '../texts'
import { account, machine, now } from '../world'

const identity = { pid: 4_242, start: '8675309', user: 'ubuntu' }
const job = (changes: Partial<JobView> = {}): JobView => ({
  id: 'j-1',
  account,
  machine: 'm-train',
  machineName: 'train-llama-01',
  name: 'python train.py --config llama.yaml',
  subject: { kind: 'command', process: identity, command: 'python train.py', id: 'ab12cd34', isInTmux: true },
  boot: 'b-1',
  since: now - 5_400,
  state: { kind: 'running' },
  link: { kind: 'connected' },
  isAllowed: true,
  ...changes,
})
const every: readonly JobView[] = [
  job(),
  job({
    id: 'j-2',
    name: 'vllm serve',
    subject: { kind: 'process', process: identity, command: 'vllm serve', log: null },
    link: { kind: 'waiting', until: now + 30, attempts: 3, reason: 'ECONNREFUSED' },
  }),
  job({ id: 'j-3', name: '', subject: { kind: 'idle', minutes: 15 }, link: null }),
  job({
    id: 'j-4',
    name: 'bash',
    subject: {
      kind: 'pane',
      process: identity,
      command: 'bash',
      socket: 'default',
      pane: '%1',
      label: 'work:0.0',
    },
    isAllowed: false,
    link: null,
  }),
  job({ id: 'j-5', state: { kind: 'ended', at: now - 60, code: 0 } }),
  job({ id: 'j-6', state: { kind: 'ended', at: now - 60, code: 137 } }),
  job({ id: 'j-7', state: { kind: 'ended', at: now - 60, code: null } }),
  job({ id: 'j-8', state: { kind: 'lost', at: now - 60, why: 'rebooted' } }),
]
const hostile = job({ name: texts.html, machineName: texts.rtl })
const consents: NonNullable<GalleryState['handlers']> = {
  'ssh.consents': () => ({ account, everyMachine: { jobs: true }, machines: {} }),
}
const program = {
  gpu: 'GPU-0',
  pid: 4_242,
  name: 'python3',
  memory: 76_100,
  share: 70,
  user: 'ubuntu',
  command: 'python3 train.py',
  seconds: 900,
  start: '8675309',
}
const tab = (handlers: GalleryState['handlers']): GalleryState => ({
  width: 420,
  render: () => h(JobsTab, { account, machine: machine() }),
  handlers: { ...consents, ...handlers },
})
const list = (jobs: readonly JobView[], changes: Partial<GalleryState> = {}): GalleryState => ({
  width: 420,
  render: () => h(JobList, { list: jobs, named: true }),
  ...changes,
})
const log = (answer: LogReading | Error): GalleryState => ({
  width: 420,
  render: () =>
    h(LogTail, {
      of: 'j-1',
      label: 'Log of train',
      missing: 'There is no log.',
      isRunning: false,
      isConnected: true,
      read: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
    }),
})

export default [
  entry(JobList, {
    every: list(every),
    hostile: list([hostile]),
    'right to left': list(every, { rtl: true }),
  }),
  entry(JobLog, {
    ended: {
      width: 420,
      render: () => h(JobLog, { job: job({ state: { kind: 'ended', at: now, code: 0 } }) }),
      handlers: { 'jobs.log': () => ({ kind: 'log', text: 'epoch 3  loss 1.690', isCut: true }) },
    },
  }),
  entry(LogTail, {
    lines: log({
      kind: 'log',
      text: 'epoch 1  loss 1.942\nepoch 2  loss 1.731\nepoch 3  loss 1.690',
      isCut: true,
    }),
    empty: log({ kind: 'log', text: '', isCut: false }),
    hostile: log({ kind: 'log', text: texts.html, isCut: false }),
    none: log({ kind: 'none' }),
    failed: log(new FailureError({ kind: 'local-fault', action: 'jobs.log', reason: texts.html })),
    unreachable: log({ kind: 'stopped', state: { kind: 'lost' } }),
  }),
  entry(JobsCard, {
    some: { render: () => h(JobsCard), handlers: { 'jobs.list': () => [...every] } },
    none: () => h(JobsCard),
  }),
  entry(JobsTab, {
    'no consent': tab({ 'ssh.consents': () => ({ account, everyMachine: {}, machines: {} }) }),
    empty: tab({}),
    some: tab({ 'jobs.list': () => every.slice(0, 3) }),
  }),
  entry(NotifyDialog, {
    usual: () => h(NotifyDialog, { account, machine: machine(), process: program }),
    hostile: () =>
      h(NotifyDialog, {
        account,
        machine: machine({ name: texts.rtl }),
        process: { ...program, name: texts.html },
      }),
  }),
  entry(StartJobDialog, {
    usual: () => h(StartJobDialog, { account, machine: machine() }),
    hostile: () => h(StartJobDialog, { account, machine: machine({ name: texts.html }) }),
  }),
  entry(WatchDialog, {
    usual: () => h(WatchDialog, { account, machine: machine() }),
  }),
]
