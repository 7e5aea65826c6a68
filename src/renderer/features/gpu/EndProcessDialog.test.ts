// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { GpuProcess } from '#shared/bridge/gpu'
import type { CallInput } from '#shared/bridge/index'
import type { EndOutcome } from '#shared/bridge/process'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import EndProcessDialog from './EndProcessDialog.vue'
import GpuProcesses from './GpuProcesses.vue'

const program: GpuProcess = {
  gpu: 'GPU-0',
  pid: 525,
  name: 'python3',
  memory: 76_100,
  share: 70,
  user: 'anna',
  command: 'python3 train.py',
  seconds: 9,
  start: '89123',
}

async function open(outcomes: readonly EndOutcome[]) {
  const sent: CallInput<'process.end'>[] = []
  let closed = 0
  const window = await mounted(
    () =>
      h(EndProcessDialog, { account, machine: machine(), process: program, onClose: () => (closed += 1) }),
    {
      'process.end': (request) => {
        sent.push(request)
        return outcomes[sent.length - 1] ?? expect.fail('too many signals')
      },
    },
  )
  onTestFinished(() => window.unmount())
  return { window, sent, closed: () => closed }
}

it('asks, sends SIGTERM for the process as listed, and closes', async () => {
  const { window, sent, closed } = await open([{ kind: 'ended' }])
  expect(sent).toEqual([])
  expect(document.activeElement?.textContent).toContain(t('common.actions.cancel'))
  await window.click(window.named(t('gpu.end.action')))
  await window.settled()
  expect(sent).toEqual([
    { account, machine: 'm-train', pid: 525, user: 'anna', start: '89123', signal: 'TERM' },
  ])
  expect(closed()).toBe(1)
  expect(window.text()).toContain(t('gpu.end.ended', { name: 'python3', pid: 525 }))
})

it('sends SIGKILL only after a second question', async () => {
  const { window, sent, closed } = await open([{ kind: 'running' }, { kind: 'ended' }])
  await window.click(window.named(t('gpu.end.action')))
  await window.settled()
  expect(window.text()).toContain(t('gpu.end.forceText'))
  expect([sent.length, closed()]).toEqual([1, 0])
  await window.click(window.named(t('gpu.end.force')))
  await window.settled()
  expect(sent.map(({ signal }) => signal)).toEqual(['TERM', 'KILL'])
  expect(closed()).toBe(1)
})

it('shows why the machine refused, without another try', async () => {
  const { window } = await open([{ kind: 'refused', why: 'changed' }])
  await window.click(window.named(t('gpu.end.action')))
  await window.settled()
  expect(window.text()).toContain(t('gpu.end.refused.changed'))
  expect(window.all('dialog [type=submit]')).toEqual([])
})

it('shows a missing answer, and tries again', async () => {
  const { window, sent } = await open([{ kind: 'unanswered', state: { kind: 'lost' } }, { kind: 'gone' }])
  await window.click(window.named(t('gpu.end.action')))
  await window.settled()
  expect(window.find('[role=alert]').textContent).not.toBe('')
  await window.click(window.named(t('gpu.end.action')))
  await window.settled()
  expect(sent).toHaveLength(2)
})

it('a process in the list can be ended only if its user and start are known', async () => {
  const processes = [program, { ...program, pid: 7, start: null }, { ...program, pid: 8, user: "a'b" }]
  const asked: number[] = []
  const window = await mounted(() =>
    h(GpuProcesses, { processes, gpus: [], isRead: true, onEnd: ({ pid }: GpuProcess) => asked.push(pid) }),
  )
  onTestFinished(() => window.unmount())
  await window.click(window.named(t('gpu.end.named', { name: 'python3', pid: 525 })))
  for (const pid of [7, 8])
    expect(window.named(t('gpu.end.unknown', { name: 'python3', pid }))).toHaveProperty('disabled', true)
  expect(asked).toEqual([525])
})
