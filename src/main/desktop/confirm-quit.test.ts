import { expect, it } from 'vitest'
import type { Transfer } from '#shared/bridge/files'
import type { TerminalSession } from '#shared/bridge/terminal'
import type { ForwardView } from '#shared/bridge/tunnel'
import type { Unfinished } from '../app/host-environment'
import { type ConfirmQuitDeps, createConfirmQuit } from './confirm-quit'

const transfer = (changes: Partial<Transfer> = {}): Transfer => ({
  id: 'one',
  account: 'abcdefghijkl',
  machine: 'm1',
  machineName: 'train-01',
  direction: 'upload',
  name: 'model.bin',
  others: 0,
  files: { done: 0, total: 1 },
  bytes: { done: 0, total: 1 },
  state: { kind: 'running', rate: null },
  ...changes,
})
/** `done`: windows, questions, quits and reports in their order. */
function open(
  unfinished: readonly Transfer[],
  answer: (options: Asked) => number | Promise<number>,
  work: Partial<Unfinished> = {},
) {
  const asked: Asked[] = []
  const done: string[] = []
  const confirmQuit = createConfirmQuit({
    unfinished: () => ({ terminals: [], forwards: [], ...work, transfers: unfinished }),
    showWindow: () => void done.push('shown'),
    async ask(options) {
      done.push('asked')
      asked.push(options)
      return { response: await answer(options) }
    },
    report: (action) => done.push(action),
  })
  const end = () => confirmQuit.end(() => void done.push('begun'))
  return { asked, done, confirmQuit, end }
}
type Asked = Parameters<ConfirmQuitDeps['ask']>[0]

it('lists the work that quitting would stop; Enter and Esc keep it running', async () => {
  const { asked, confirmQuit, end } = open(
    [transfer(), transfer({ direction: 'download', name: 'a\nb', others: 2, machineName: 'eval\u202E' })],
    () => 1,
  )
  expect(confirmQuit.pending()).toBe(true)
  expect(await end()).toBe(false)
  expect(asked).toEqual([
    {
      type: 'question',
      message: 'Quit and stop 2 running items?',
      detail: [
        'Transfer: model.bin to train-01',
        'Transfer: a b and 2 others from eval ',
        '',
        'Partial copies will be deleted.',
      ].join('\n'),
      buttons: ['Quit and stop', 'Keep running'],
      defaultId: 1,
      cancelId: 1,
      signal: expect.any(AbortSignal),
    },
  ])
})

it('lists terminals and forwarded ports with the effect of quitting on them', async () => {
  const terminal: TerminalSession = {
    id: 't',
    account: 'abcdefghijkl',
    machine: 'm1',
    name: 'train-01',
    destination: 'root@10.0.0.5',
    kept: null,
    title: 'training',
    beside: null,
    state: { kind: 'running' },
  }
  const forward: ForwardView = {
    id: 'f',
    account: 'abcdefghijkl',
    machine: 'm1',
    machineName: 'train-01',
    port: 8888,
    name: null,
    localPort: 8888,
    wishedPort: 8888,
    saved: false,
    state: { kind: 'open' },
  }
  const { asked, confirmQuit, end } = open([], () => 0, { terminals: [terminal], forwards: [forward] })
  expect(confirmQuit.pending()).toBe(true)
  expect(await end()).toBe(true)
  expect(asked[0]).toMatchObject({
    message: 'Quit and stop 2 running items?',
    detail: [
      'Terminal: training',
      'Forwarded port: 8888 of train-01',
      '',
      'Sessions end, with any programs in their foreground. Kept sessions keep running.',
      'Programs that use a forwarded port lose their connection.',
    ].join('\n'),
  })
})

it('counts the items that the list leaves out', async () => {
  const { asked, end } = open(
    Array.from({ length: 40 }, () => transfer()),
    () => 0,
  )
  expect(await end()).toBe(true)
  expect(asked[0]?.message).toBe('Quit and stop 40 running items?')
  expect(asked[0]?.detail?.split('\n').slice(-3)).toEqual([
    'and 35 more',
    '',
    'Partial copies will be deleted.',
  ])
})

it('does not ask when nothing is unfinished', async () => {
  const { confirmQuit, done, end } = open([], () => 1)
  expect(confirmQuit.pending()).toBe(false)
  expect(await end()).toBe(true)
  expect(done).toEqual(['begun'])
})

it('does not quit before the answer or after “Keep running”, and asks again next time', async () => {
  let response = 1
  const { confirmQuit, done, end } = open([transfer()], () => response)
  expect(await end()).toBe(false)
  expect(done).toEqual(['shown', 'asked'])
  expect(confirmQuit.pending()).toBe(true)
  response = 0
  expect(await end()).toBe(true)
  expect(done.slice(2)).toEqual(['shown', 'asked', 'begun'])
  // Further attempts to quit ask nothing.
  expect(confirmQuit.pending()).toBe(false)
})

it('asks again after quitting failed', async () => {
  const { confirmQuit, end, done } = open([transfer()], () => 0)
  const failing = confirmQuit.end(() => Promise.reject(new Error('the installer does not start')))
  await expect(failing).rejects.toThrow('the installer does not start')
  expect(confirmQuit.pending()).toBe(true)
  await end()
  expect(done).toEqual(['shown', 'asked', 'shown', 'asked', 'begun'])
})

it('treats a failed dialog as “Keep running”, and asks again next time', async () => {
  const { confirmQuit, done, end } = open([transfer()], () => Promise.reject(new Error('no display')))
  expect(await end()).toBe(false)
  expect(await end()).toBe(false)
  expect(done).toEqual(['shown', 'asked', 'app.confirmQuit', 'shown', 'asked', 'app.confirmQuit'])
  expect(confirmQuit.pending()).toBe(true)
})

it('opens one question at a time and shows it again on further requests', async () => {
  let answer: (response: number) => void = () => undefined
  const { confirmQuit, done, end } = open([transfer()], () => new Promise((resolve) => (answer = resolve)))
  const both = [end(), end()]
  expect(confirmQuit.pending()).toBe(true)
  expect(done).toEqual(['shown', 'asked', 'shown'])
  answer(1)
  expect(await Promise.all(both)).toEqual([false, false])
})

it('quits without asking when the session ends, and closes an open question', async () => {
  const { confirmQuit, done, end } = open(
    [transfer()],
    ({ signal }) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(1))),
  )
  const standing = end()
  confirmQuit.sessionEnds()
  expect(await standing).toBe(false)
  expect(confirmQuit.pending()).toBe(false)
  expect(await end()).toBe(true)
  expect(done).toEqual(['shown', 'asked', 'begun'])
})
