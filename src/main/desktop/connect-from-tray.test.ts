import { expect, it } from 'vitest'
import type { CallOutput } from '#shared/bridge/index'
import { type Failure, FailureError } from '#shared/failure'
import { createConnectFromTray } from './connect-from-tray'

type Opened = CallOutput<'ssh.connect'>
const opened: Opened = { terminal: 'xterm', session: null, missing: null, failed: null }
const shown = { page: 'machines', account: 'lab', machine: 'm-1' } as const
const settings = { page: 'settings', section: 'terminal' }

function open(answer: () => Opened) {
  const seen: unknown[] = []
  const connect = createConnectFromTray({
    connect: async () => answer(),
    place: () => ({ name: 'train-01', destination: shown }),
    showWindow: (destination) => seen.push(destination),
    notifyInWindow: ({ title, destination }) => seen.push(['window', title, destination]),
    notify: ({ title, destination }) => seen.push(['system', title, destination]),
    showError: (title, text) => seen.push([title, text]),
  })
  return { seen, connect: () => connect('lab', 'm-1') }
}
const failing = (failure: Failure) =>
  open(() => {
    throw new FailureError(failure)
  })

it('shows nothing when the terminal opened', async () => {
  const { seen, connect } = open(() => opened)
  await connect()
  expect(seen).toEqual([])
})

it('shows the session and the reason in the window when the terminal failed', async () => {
  const failed = 'kitty: cannot open display'
  const { seen, connect } = open(() => ({ ...opened, session: 's1', failed }))
  await connect()
  expect(seen).toEqual([
    { page: 'terminals', session: 's1' },
    ['window', expect.stringContaining(failed), settings],
  ])
})

it('reports a substitute terminal once, through the system if no window is open', async () => {
  const { seen, connect } = open(() => ({ ...opened, missing: 'kitty' }))
  await connect()
  await connect()
  expect(seen).toEqual([['system', expect.stringContaining('kitty isn’t installed'), settings]])
})

it('shows the machine and the reason when the connection fails', async () => {
  const { seen, connect } = failing({ kind: 'timed-out', host: '203.0.113.21:22', seconds: 8 })
  await connect()
  expect(seen).toEqual([shown, ['Couldn’t connect to train-01', expect.stringContaining('203.0.113.21')]])
})

it.each<Failure>([{ kind: 'cancelled' }, { kind: 'host-key-refused', host: '203.0.113.21:22' }])(
  'shows nothing after the user’s own choice: $kind',
  async (failure) => {
    const { seen, connect } = failing(failure)
    await connect()
    expect(seen).toEqual([])
  },
)
