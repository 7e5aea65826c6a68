import { expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { createStopMachine, type StopMachineDeps } from './stop-machine'

function open(response: number, stop = (): Promise<unknown> => Promise.resolve(), name = 'train-01') {
  const asked: Parameters<StopMachineDeps['ask']>[0][] = []
  const seen: unknown[] = []
  const stopMachine = createStopMachine({
    nameOf: () => name,
    ask: (options) => {
      asked.push(options)
      return Promise.resolve({ response })
    },
    stop(account, machine) {
      seen.push(['stop', account, machine])
      return stop()
    },
    showError: (title, text) => seen.push([title, text]),
  })
  return { asked, seen, stopMachine }
}

it('asks with the name, mentions that billing continues, and cancels with Enter and Esc', async () => {
  const { asked, seen, stopMachine } = open(1)
  await stopMachine('lab', 'm-1')
  expect(asked).toEqual([
    {
      type: 'question',
      message: 'Stop train-01?',
      detail: expect.stringContaining('You’re still billed'),
      buttons: ['Stop', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    },
  ])
  expect(seen).toEqual([])
})

it('stops the machine after confirmation', async () => {
  const { seen, stopMachine } = open(0)
  await stopMachine('lab', 'm-1')
  expect(seen).toEqual([['stop', 'lab', 'm-1']])
})

it('shows why a machine was not stopped', async () => {
  const refusal = new FailureError({ kind: 'refused-by-service', message: 'maintenance', status: 409 })
  const { seen, stopMachine } = open(0, () => Promise.reject(refusal))
  await stopMachine('lab', 'm-1')
  expect(seen.at(-1)).toEqual(['Couldn’t stop train-01', expect.stringContaining('maintenance')])
})

it('asks in one line of bounded length whatever the name of the machine', async () => {
  const { asked, stopMachine } = open(1, undefined, `box\n\u202E${'x'.repeat(1_000_000)}`)
  await stopMachine('lab', 'm-1')
  expect(asked[0]?.message).toMatch(/^Stop box x+…\?$/)
  expect(asked[0]?.message.length).toBeLessThan(130)
})

it('shows the reason in three lines of bounded length whatever the message of the service', async () => {
  const message = `${'down\n'.repeat(400)}\u202Exyz`
  const refusal = new FailureError({ kind: 'refused-by-service', message, status: 409 })
  const { seen, stopMachine } = open(0, () => Promise.reject(refusal))
  await stopMachine('lab', 'm-1')
  expect(seen.at(-1)).toEqual([
    'Couldn’t stop train-01',
    expect.stringMatching(/^[^\n\u202E]{1,500}\n\n[^\n\u202E]{1,500}\n\n[^\n\u202E]{1,500}$/),
  ])
})
