import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadPty, type Pty } from './pty'

/** A program of the shell in a real pseudo-terminal, what it has printed, and how it has ended. */
async function run(script: string) {
  const start = (await loadPty()) ?? expect.fail('no pseudo-terminals')
  let printed = Buffer.alloc(0)
  const codes: (number | null)[] = []
  const pty: Pty = start(
    {
      file: '/bin/sh',
      args: ['-c', script],
      env: { PATH: process.env['PATH'] },
      folder: '/',
      columns: 80,
      rows: 24,
    },
    {
      output: (bytes) => (printed = Buffer.concat([printed, bytes])),
      ended: (code) => void codes.push(code),
    },
  )
  onTestFinished(() => pty.kill())
  const text = (): string => printed.toString('latin1')
  return {
    pty,
    codes,
    text,
    printed: (expected: string) => expect.poll(text).toContain(expected),
    ended: (code: number | null) => expect.poll(() => codes).toEqual([code]),
  }
}

describe.skipIf(process.platform === 'win32')('a program in a real pseudo-terminal', () => {
  it('prints bytes as they are, in its folder and with its environment, and ends with its code', async () => {
    const one = await run(String.raw`stty raw; printf '\377\000\303'; echo "$TERM $COLORTERM $PWD"; exit 7`)
    await one.ended(7)
    expect(one.text()).toBe('\xff\x00\xc3xterm-256color truecolor /\n')
    await (await run('kill -TERM $$')).ended(null)
  })

  it('gets what is typed, NUL and other characters alike, and its size', async () => {
    const one = await run('stty raw -echo; echo ready; head -c 5 | od -An -tx1; stty size; read x; stty size')
    await one.printed('ready')
    void one.pty.write('\0é\x03a')
    await one.printed('00 c3 a9 03 61')
    await one.printed('24 80')
    one.pty.resize(2_000, 1)
    void one.pty.write('\n')
    await one.printed('1 2000')
  })

  it('waits while it is paused, and hangs up with its window', async () => {
    const one = await run('yes')
    await one.printed('y')
    one.pty.pause()
    const { length } = one.text()
    await new Promise(setImmediate)
    expect(one.text()).toHaveLength(length)
    one.pty.resume()
    await expect.poll(() => one.text().length).toBeGreaterThan(length)
    one.pty.pause()
    one.pty.kill()
    await one.ended(null)
    void one.pty.write('too late')
    one.pty.resize(10, 10)
  })

  it('shows all of its output, though it ended long before that was read', async () => {
    const one = await run('stty raw -echo; echo ready; head -c 1 > /dev/null; printf %03000d 7; exit 3')
    await one.printed('ready')
    one.pty.pause()
    void one.pty.write('!')
    await (await run('sleep 0.5')).ended(0)
    expect([one.text(), one.codes]).toEqual(['ready\n', []])
    one.pty.resume()
    await one.ended(3)
    expect(one.text()).toBe(`ready\n${'7'.padStart(3_000, '0')}`)
  })

  it('shows all of its output, though much of that is unread when it ends', async () => {
    const one = await run('stty raw -echo; echo ready; head -c 1 > /dev/null; printf %0200000d 7; exit 3')
    await one.printed('ready')
    one.pty.pause()
    void one.pty.write('!')
    await (await run('sleep 0.5')).ended(0)
    one.pty.resume()
    await one.ended(3)
    expect(one.text()).toBe(`ready\n${'7'.padStart(200_000, '0')}`)
  })

  it('keeps nobody waiting that types more than it reads, and gets all of it later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-pty-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const written = join(folder, 'written')
    // It reads once all has been written here, or after seconds in which it has not been.
    const wait = `for turn in $(seq 100); do [ -e ${written} ] && echo free && break; sleep 0.05; done`
    const one = await run(`stty raw -echo; echo ready; head -c 1; ${wait}; head -c 300000 | wc -c`)
    await one.printed('ready')
    void one.pty.write('!')
    for (let part = 0; part < 3; part += 1) void one.pty.write('x'.repeat(100_000))
    await writeFile(written, '')
    await one.printed('free')
    await one.printed('300000')
    await one.ended(0)
  })

  it('takes no more while a program reads nothing, and drops what it never reads', async () => {
    const one = await run('stty raw -echo; echo ready; head -c 1 > /dev/null; echo waits; sleep 0.2')
    await one.printed('ready')
    let isTaken = false
    const taken = one.pty.write('x'.repeat(300_000)).then(() => (isTaken = true))
    one.pty.resize(100, 30)
    await one.printed('waits')
    expect(isTaken).toBe(false)
    await one.ended(0)
    await taken
  })
})
