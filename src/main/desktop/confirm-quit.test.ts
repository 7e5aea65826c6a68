import { expect, it } from 'vitest'
import type { Transfer } from '#shared/bridge/files'
import { type ConfirmQuitDeps, createConfirmQuit } from './confirm-quit'

const transfer = (changes: Partial<Transfer> = {}): Transfer => ({
  ...{ id: 'one', account: 'abcdefghijkl', machine: 'm1', machineName: 'train-01', direction: 'upload' },
  ...{ name: 'model.bin', others: 0, files: { done: 0, total: 1 }, bytes: { done: 0, total: 1 } },
  ...{ state: { kind: 'running', rate: null }, ...changes },
})
function open(unfinished: readonly Transfer[], response: number) {
  const asked: Parameters<ConfirmQuitDeps['ask']>[0][] = []
  const confirmQuit = createConfirmQuit({
    unfinished: () => unfinished,
    ask(options) {
      asked.push(options)
      return Promise.resolve({ response })
    },
  })
  return { asked, confirmQuit }
}

it('names what quitting would stop, and keeps it running with Enter and Esc', async () => {
  const { asked, confirmQuit } = open(
    [transfer(), transfer({ direction: 'download', name: 'a\nb', others: 2, machineName: 'eval\u202E' })],
    1,
  )
  expect(confirmQuit.pending()).toBe(true)
  expect(await confirmQuit.confirm()).toBe(false)
  expect(asked).toEqual([
    {
      type: 'question',
      message: 'Quit and stop 2 transfers?',
      detail: [
        'model.bin to train-01',
        'a b and 2 others from eval ',
        '',
        'What was copied of them so far is removed.',
      ].join('\n'),
      buttons: ['Quit and stop', 'Keep running'],
      defaultId: 1,
      cancelId: 1,
    },
  ])
})

it('counts what it does not name', async () => {
  const { asked, confirmQuit } = open(
    Array.from({ length: 40 }, () => transfer()),
    0,
  )
  expect(await confirmQuit.confirm()).toBe(true)
  expect(asked[0]?.message).toBe('Quit and stop 40 transfers?')
  expect(asked[0]?.detail?.split('\n').slice(-3)).toEqual([
    'and 35 more',
    '',
    'What was copied of them so far is removed.',
  ])
})

it('has nothing to ask where nothing is under way', () => {
  expect(open([], 0).confirmQuit.pending()).toBe(false)
})
