import { h } from 'vue'
import { checkNames, type CheckResult, type CheckUpReport, type CheckUpView } from '#shared/bridge/check-up'
import type { HealthView } from '#shared/bridge/gpu'
import { FailureError } from '#shared/failure'
import CheckUpNotice from '../../../src/renderer/features/check-up/CheckUpNotice.vue'
import CheckUpResults from '../../../src/renderer/features/check-up/CheckUpResults.vue'
import CheckUpTab from '../../../src/renderer/features/check-up/CheckUpTab.vue'
import MachineHealth from '../../../src/renderer/features/gpu/MachineHealth.vue'
import { entry } from '../state'
import { texts } from '../texts'
import { account, machine, now } from '../world'

const problems: readonly CheckResult[] = [
  { check: 'pcie', verdict: 'bad', found: 'PCIe 3 × 8', expected: 'PCIe 5 × 16', note: 'pcie-slow' },
  { check: 'kernel-log', verdict: 'unknown', found: null, expected: null, note: 'needs-root' },
  { check: 'gpu-model', verdict: 'bad', found: texts.html, expected: 'H100', note: 'other-model' },
  {
    check: 'disk-speed',
    verdict: 'warning',
    found: '212 MB/s',
    expected: '1,150 MB/s',
    note: 'slower-than-others',
  },
]
const report = (results: readonly CheckResult[], at = now - 60): CheckUpReport => ({
  machine: 'm-train',
  name: 'train-llama-01',
  flavor: 'gpu-8-h100',
  region: 'DALLAS',
  at,
  seconds: 31,
  diskSpeed: 212,
  networkSpeed: 40,
  results: [...results],
})
const good = checkNames.map((check): CheckResult => ({
  check,
  verdict: 'good',
  found: '8',
  expected: '8',
  note: null,
}))
const view = (changes: Partial<CheckUpView>): CheckUpView => ({
  account,
  machine: 'm-train',
  running: null,
  reports: [],
  scripts: ['echo "== time"; date +%s', 'dd if=/dev/urandom bs=1048576 count=32 2>/dev/null'],
  ...changes,
})
const tab = (changes: Partial<CheckUpView>, of = machine()) => ({
  render: () => h(CheckUpTab, { account, machine: of }),
  handlers: { 'checkUp.read': () => view(changes) },
})
const health = (changes: Partial<HealthView>) => ({
  render: () => h(MachineHealth, { account, machine: 'm-train' }),
  handlers: {
    'gpu.health': (): HealthView => ({
      account,
      machine: 'm-train',
      at: now - 40,
      problem: null,
      xids: [],
      disk: { mount: '/', total: 2e12, used: 0.3e12, fullIn: null },
      memory: { total: 1.8e12, used: 0.6e12 },
      swap: { total: 0, used: 0 },
      load: 0.4,
      defects: [],
      ...changes,
    }),
  },
})

export default [
  entry(CheckUpNotice, {
    offered: () => h(CheckUpNotice, { account, machine: machine({ startedAt: now - 600 }) }),
    'not new': () => h(CheckUpNotice, { account, machine: machine({ startedAt: now - 86_400 }) }),
  }),
  entry(CheckUpResults, {
    good: () => h(CheckUpResults, { report: report(good) }),
    problems: () => h(CheckUpResults, { report: report([...good.slice(5), ...problems]) }),
  }),
  entry(CheckUpTab, {
    never: tab({}),
    running: tab({ running: 'disk', reports: [report(good)] }),
    checked: tab({ reports: [report(problems), report(good, now - 86_400)] }),
    off: tab({}, machine({ status: 'stopped' })),
    failed: {
      render: () => h(CheckUpTab, { account, machine: machine() }),
      handlers: {
        'checkUp.read': () => {
          throw new FailureError({ kind: 'disk-full' })
        },
      },
    },
  }),
  entry(MachineHealth, {
    usual: health({}),
    'kernel log not readable': health({ xids: null }),
    xid: health({
      defects: ['xid'],
      xids: [
        "[ 5123.104211] NVRM: Xid (PCI:0000:18:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
        `[ 5124.0] NVRM: Xid ${texts.html}${texts.control}`,
      ],
    }),
    'never read': health({
      at: null,
      problem: 'no-answer',
      disk: null,
      memory: null,
      swap: null,
      load: null,
    }),
    'no longer read': health({ problem: 'slow-login' }),
    failed: {
      render: () => h(MachineHealth, { account, machine: 'm-train' }),
      handlers: {
        'gpu.health': () => {
          throw new FailureError({ kind: 'disk-full' })
        },
      },
    },
    full: health({
      disk: { mount: '/workspace', total: 2e12, used: 1.94e12, fullIn: 7_200 },
      swap: { total: 8e9, used: 7e9 },
      load: 2.1,
      defects: ['pending-remap', 'recovery-action', 'heat'],
    }),
  }),
]
