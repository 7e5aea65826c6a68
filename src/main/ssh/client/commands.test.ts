import { expect, it, onTestFinished, vi } from 'vitest'
import { begunText, endedText, readFrame } from '#shared/command-frame'
import { errorOf } from './channel-stream'
import { commandsOver, type CommandTransport } from './commands'

/** Lets so many milliseconds pass on the fake clock. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
  await new Promise((resolve) => setImmediate(resolve))
}

/** A transport whose channel the test fills, and which stays open until it is closed. */
function openChannel(reportsEnd = false) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let started: Parameters<CommandTransport['start']> | undefined
  const start: CommandTransport['start'] = (...given) => {
    started = given
    const [, , signal] = given
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(errorOf(signal.reason))),
    )
  }
  const { exec, run } = commandsOver({ start, reportsEnd }, { command: 20, output: 1_000 })
  const given = () => started ?? expect.fail('not started')
  const mark = () => readFrame(given()[0])?.mark ?? expect.fail('no frame')
  const print = (from: 'stdout' | 'stderr', text: string) => given()[1][from](Buffer.from(text))
  const both = (line: string): void => {
    print('stderr', `${line}\n`)
    print('stdout', `${line}\n`)
  }
  return {
    exec,
    run,
    print,
    begin: () => both(begunText(mark(), '42')),
    end: () => both(endedText(mark(), '3')),
    endOf: (from: 'stdout' | 'stderr') => print(from, `${endedText(mark(), '3')}\n`),
    exit: (status: number | null, signal: string | null = null) => given()[1].exited?.({ status, signal }),
    isClosed: () => given()[2].aborted,
  }
}

it.each([false, true])(
  'a script whose channel stays open ends 300 ms after its marks',
  async (reportsEnd) => {
    const channel = openChannel(reportsEnd)
    const outcome = channel.exec('true')
    await pass(0)
    channel.begin()
    channel.print('stdout', 'out\n')
    channel.exit(3)
    channel.end()
    await pass(200)
    channel.print('stdout', 'late\n')
    expect(channel.isClosed()).toBe(false)
    await pass(100)
    expect(channel.isClosed()).toBe(true)
    channel.print('stdout', 'too late\n')
    expect(await outcome).toEqual({ kind: 'finished', stdout: 'out\nlate\n', stderr: '', status: 3 })
  },
)

it('output that is delayed on its way is not cut', async () => {
  const channel = openChannel()
  const outcome = channel.exec('true')
  await pass(0)
  channel.begin()
  channel.exit(3)
  channel.endOf('stderr')
  await pass(15_000)
  channel.print('stdout', 'out\n')
  channel.endOf('stdout')
  await pass(300)
  expect(await outcome).toMatchObject({ kind: 'finished', stdout: 'out\n', status: 3 })
})

it('a script that a signal ends before its marks has 2 s for its output', async () => {
  const channel = openChannel()
  const outcome = channel.exec('true')
  await pass(0)
  channel.begin()
  channel.exit(null, 'SIGKILL')
  await pass(1_999)
  expect(channel.isClosed()).toBe(false)
  await pass(1)
  expect(await outcome).toMatchObject({ kind: 'finished', status: null })
})

it('a user’s command that has begun stays open after its exit', async () => {
  const channel = openChannel()
  const ending = new AbortController()
  const output = { stdout: () => undefined, stderr: () => undefined }
  const exit = channel.run('true', output, ending.signal)
  await pass(0)
  channel.begin()
  channel.exit(3)
  await pass(60_000)
  expect(channel.isClosed()).toBe(false)
  ending.abort(new Error('enough'))
  await expect(exit).rejects.toThrow('enough')
})
