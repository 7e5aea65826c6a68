// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from 'vitest'
import { h } from 'vue'
import type { CallInput } from '#shared/bridge/index'
import type { JobView, WatchOutcome } from '#shared/bridge/job'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import JobsTab from './JobsTab.vue'

const job: JobView = {
  id: 'j-1',
  account,
  machine: 'm-train',
  machineName: 'train-llama-01',
  name: 'python train.py',
  subject: {
    kind: 'command',
    process: { pid: 42, start: '7', user: 'jo' },
    command: 'python train.py',
    id: 'ab12',
    isInTmux: true,
  },
  boot: 'b-1',
  since: now - 600,
  state: { kind: 'running' },
  link: { kind: 'connected' },
  isAllowed: true,
}

async function open(listed: readonly JobView[], outcomes: readonly WatchOutcome[] = [], isAllowed = true) {
  const logs: CallInput<'jobs.log'>[] = []
  const watched: CallInput<'jobs.watch'>[] = []
  const sent: unknown[] = []
  const window = await mounted(() => h(JobsTab, { account, machine: machine() }), {
    'ssh.consents': () => ({
      account,
      everyMachine: isAllowed ? { jobs: true } : { look: true },
      machines: {},
    }),
    'ssh.setConsents': (order) => {
      sent.push(order)
      return { account, everyMachine: { jobs: true }, machines: {} }
    },
    'jobs.list': () => [...listed],
    'jobs.watch': (order) => {
      watched.push(order)
      return outcomes[watched.length - 1] ?? expect.fail('too many orders')
    },
    'jobs.log': (order) => {
      logs.push(order)
      if (logs.length === 1) return { kind: 'log', text: 'epoch 1', isCut: false }
      return {
        kind: 'stopped',
        state: logs.length === 2 ? { kind: 'timed-out', seconds: 30 } : { kind: 'lost' },
      }
    },
    'jobs.end': (order) => {
      sent.push(order)
      return { kind: 'ended' }
    },
    'jobs.remove': (order) => void sent.push(order),
  })
  onTestFinished(() => window.unmount())
  return { window, watched, sent, logs }
}

it('asks for its own consent, whatever else is allowed', async () => {
  const { window, sent } = await open([], [], false)
  expect(window.text()).toContain(t('sshConsent.purposes.jobs.name'))
  await window.click(window.named(t('sshConsent.giveHere')))
  await window.settled()
  expect(sent).toEqual([{ account, machine: 'm-train', answers: { jobs: true } }])
  expect(window.text()).toContain(t('jobs.empty'))
})

it('starts a command, and shows why the machine refused without losing the command', async () => {
  const { window, watched } = await open(
    [],
    [
      { kind: 'failed', reason: 'No space left\u0007' },
      { kind: 'watching', job },
    ],
  )
  await window.settled()
  await window.click(window.named(t('jobs.start.action')))
  await window.type(window.find('textarea'), 'python train.py')
  await window.submit()
  await window.settled()
  expect(window.find('[role=alert]').textContent).toContain('No space left')
  expect(window.find('textarea')).toHaveProperty('value', 'python train.py')
  await window.press(window.find('textarea'), 'Enter')
  await window.settled()
  expect(watched.map(({ target }) => target)).toEqual([
    { kind: 'command', command: 'python train.py' },
    { kind: 'command', command: 'python train.py' },
  ])
  expect(window.all('textarea')).toEqual([])
})

it('watches a process by its PID, and idle GPUs', async () => {
  const { window, watched } = await open(
    [],
    [
      { kind: 'refused', why: 'no-process' },
      { kind: 'watching', job: { ...job, name: '', subject: { kind: 'idle', minutes: 30 } } },
    ],
  )
  await window.settled()
  await window.click(window.named(t('jobs.watch.action')))
  await window.type(window.field(t('jobs.watch.pid')), '1')
  await window.submit()
  expect(watched).toEqual([])
  await window.type(window.field(t('jobs.watch.pid')), '4242')
  await window.submit()
  await window.settled()
  expect(window.find('[role=alert]').textContent).toBe(t('jobs.refused.no-process'))
  await window.click(window.named(t('jobs.watch.kinds.idle')))
  await window.type(window.field(t('jobs.watch.minutes')), '30')
  await window.submit()
  await window.settled()
  expect(watched.map(({ target }) => target)).toEqual([
    { kind: 'process', pid: 4_242 },
    { kind: 'idle', minutes: 30 },
  ])
})

it('ends and removes a job, and shows how a job ended', async () => {
  const ended = (id: string, code: number | null): JobView => ({
    ...job,
    id,
    state: { kind: 'ended', at: now, code },
  })
  const { window, sent } = await open([job, ended('j-2', 0), ended('j-3', 1), ended('j-4', null)])
  await window.settled()
  for (const text of [t('jobs.state.done'), t('jobs.state.code', { code: 1 }), t('jobs.state.ended')])
    expect(window.text()).toContain(text)
  await window.click(window.named(t('jobs.end')))
  await window.submit()
  await window.settled()
  await window.click(window.named(t('jobs.remove.running', { name: 'python train.py' })))
  await window.settled()
  expect(sent).toEqual([
    { account, job: 'j-1', signal: 'TERM' },
    { account, job: 'j-1' },
  ])
})

it('an open log is read again every few seconds, also from a busy machine, but not over a lost connection', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { window, logs } = await open([job])
  await window.click(window.named(t('jobs.log.show')))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(logs).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(logs).toHaveLength(3)
})
