import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadPty, type Pty } from './pty'

/** Runs a script in a real pseudo-terminal, and records its output and exit codes. */
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
  it('prints raw bytes, has its folder and environment, and ends with its code', async () => {
    const program = await run(
      String.raw`stty raw; printf '\377\000\303'; echo "$TERM $COLORTERM $PWD"; exit 7`,
    )
    await program.ended(7)
    expect(program.text()).toBe('\xff\x00\xc3xterm-256color truecolor /\n')
    await (await run('kill -TERM $$')).ended(null)
  })

  it('receives typed characters, NUL included, and its size', async () => {
    const program = await run(
      'stty raw -echo; echo ready; head -c 5 | od -An -tx1; stty size; read x; stty size',
    )
    await program.printed('ready')
    void program.pty.write('\0é\x03a')
    await program.printed('00 c3 a9 03 61')
    await program.printed('24 80')
    program.pty.resize(2_000, 1)
    void program.pty.write('\n')
    await program.printed('1 2000')
  })

  it('prints nothing while it is paused, and ends when it is killed', async () => {
    const program = await run('yes')
    await program.printed('y')
    program.pty.pause()
    const { length } = program.text()
    await new Promise(setImmediate)
    expect(program.text()).toHaveLength(length)
    program.pty.resume()
    await expect.poll(() => program.text().length).toBeGreaterThan(length)
    program.pty.pause()
    program.pty.kill()
    await program.ended(null)
    void program.pty.write('too late')
    program.pty.resize(10, 10)
  })

  it('shows all of its output if it ended half a second before the read', async () => {
    const program = await run('stty raw -echo; echo ready; head -c 1 > /dev/null; printf %03000d 7; exit 3')
    await program.printed('ready')
    program.pty.pause()
    void program.pty.write('!')
    await (await run('sleep 0.5')).ended(0)
    expect([program.text(), program.codes]).toEqual(['ready\n', []])
    program.pty.resume()
    await program.ended(3)
    expect(program.text()).toBe(`ready\n${'7'.padStart(3_000, '0')}`)
  })

  it('shows all of its output if 200 kB are unread when it ends', async () => {
    const program = await run('stty raw -echo; echo ready; head -c 1 > /dev/null; printf %0200000d 7; exit 3')
    await program.printed('ready')
    program.pty.pause()
    void program.pty.write('!')
    await (await run('sleep 0.5')).ended(0)
    program.pty.resume()
    await program.ended(3)
    expect(program.text()).toBe(`ready\n${'7'.padStart(200_000, '0')}`)
  })

  it('does not block the writer of more input than it reads, and receives all of it later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-pty-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const written = join(folder, 'written')
    // The program reads once the test has written everything, or after 5 seconds.
    const wait = `for turn in $(seq 100); do [ -e ${written} ] && echo free && break; sleep 0.05; done`
    const program = await run(`stty raw -echo; echo ready; head -c 1; ${wait}; head -c 300000 | wc -c`)
    await program.printed('ready')
    void program.pty.write('!')
    for (let part = 0; part < 3; part += 1) void program.pty.write('x'.repeat(100_000))
    await writeFile(written, '')
    await program.printed('free')
    await program.printed('300000')
    await program.ended(0)
  })

  it('makes the writer wait while it reads nothing, until it ends', async () => {
    const program = await run('stty raw -echo; echo ready; head -c 1 > /dev/null; echo waits; sleep 0.2')
    await program.printed('ready')
    let isTaken = false
    const taken = program.pty.write('x'.repeat(300_000)).then(() => (isTaken = true))
    program.pty.resize(100, 30)
    await program.printed('waits')
    expect(isTaken).toBe(false)
    await program.ended(0)
    await taken
  })
})
