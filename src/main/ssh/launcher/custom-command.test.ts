import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hostileStrings } from '../../../../test/fixtures/hostile-strings'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { windowTitle } from '../client/plain-values'
import { chooseTerminal, findTerminals } from './terminal-choice'
import { plainCommand, readCustomCommand } from './custom-command'

const window = {
  ssh: '/usr/bin/ssh',
  args: ['-p', '22', '-l', 'root', '--', '10.0.0.5'],
  title: 'train {command} "1"',
  hold: false,
  folder: '/home/jane doe',
}
const session = [window.ssh, ...window.args]
const launched = (text: string, platform: NodeJS.Platform = 'linux') =>
  readCustomCommand(text, platform)?.launch('/found/here', window) ?? null

/** A program that writes its arguments down, each ended by NUL, as a terminal would get them. */
function recorder() {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [program, written, canary] = ['terminal', 'written', 'canary'].map((name) => join(folder, name))
  if (!program || !written || !canary) return expect.fail('no names')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\0' "$@" > '${written}'\n`, { mode: 0o755 })
  return {
    folder,
    program,
    canary,
    /** Runs the command as Connect does: the program with an argument list. */
    run(text: string, title = 'train'): readonly string[] {
      const launch = readCustomCommand(text, 'linux')?.launch(program, { ...window, title })
      if (!launch) return expect.fail('refused')
      execFileSync(launch.file, launch.args, { cwd: folder })
      return readFileSync(written, 'utf8').split('\0').slice(0, -1)
    },
  }
}

describe('the user’s own command', () => {
  it('gets ssh as separate arguments, and the machine’s name in place of its mark', () => {
    expect(launched('myterm --title={title} -e {command}')).toEqual({
      file: '/found/here',
      args: [`--title=${window.title}`, '-e', ...session],
    })
    expect(launched(`"/opt/my term/run" '{title}' {command}  --after`)?.args).toEqual([
      window.title,
      ...session,
      '--after',
    ])
    expect(launched(String.raw`"C:\Program Files\T\t.exe" {command}`, 'win32')?.args).toEqual(session)
  })

  it.each([
    '',
    'myterm',
    'myterm -e',
    'myterm -e {command} {command}',
    'myterm -e "{command} now"',
    'myterm {host} {command}',
    '{command}',
    '{title} {command}',
    'myterm "-e {command}',
    '../myterm {command}',
    '-myterm {command}',
    './myterm {command}',
    '$HOME/myterm {command}',
    'myterm {command}\nrm',
    `myterm ${'x'.repeat(1_000)} {command}`,
  ])('is refused if malformed: %j', (text) => {
    expect(() => plainCommand(text, 'linux')).toThrow(
      expect.objectContaining({
        failure: { kind: 'invalid-input', field: 'command', reason: 'malformed' },
      }),
    )
  })

  it.each(['C:\\t\\run.cmd {command}', 'run.BAT {command}', '"C:\\t\\%TEMP%" {command}'])(
    'on Windows is refused if a shell would run it: %j',
    (text) => expect(readCustomCommand(text, 'win32')).toBeNull(),
  )

  it('is refused if it is hostile text, or its program is', () => {
    const texts = hostileStrings('/tmp/canary')
    expect(new Set(texts).size).toBeGreaterThanOrEqual(250)
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      for (const text of texts) {
        expect(readCustomCommand(text, platform), text.slice(0, 80)).toBeNull()
        const program = readCustomCommand(`${text} {command}`, platform)?.places[0] ?? 'a'
        expect(program, text.slice(0, 80)).toMatch(/^[\w.+][\w.+-]*$/)
      }
    }
  })

  it('is replaced by another terminal if its program is missing, and is named then', async () => {
    const own = readCustomCommand('nowhere-term -e {command}', 'linux')
    const there = readCustomCommand(`${process.execPath} {command}`, 'linux')
    if (!own || !there) return expect.fail('no terminals')
    const other = { ...there, id: 'other' }
    const found = await findTerminals([other, own], 'linux', {})
    expect(chooseTerminal(found, own.id)).toEqual({
      terminal: other,
      path: process.execPath,
      missing: 'nowhere-term',
    })
    expect(chooseTerminal(found, null).missing).toBeNull()
    expect(chooseTerminal(found, 'other').missing).toBeNull()
  })

  it('passes hostile texts on as single arguments or refuses them', () => {
    const { folder, canary, run } = recorder()
    let handed = 0
    for (const text of hostileStrings(canary)) {
      const quote = text.includes('"') ? "'" : '"'
      const command = `myterm ${quote}${text}${quote} -e {command}`
      if (text.includes(quote) || readCustomCommand(command, 'linux') === null) continue
      expect(run(command), text.slice(0, 80)).toEqual([text, '-e', ...session])
      handed += 1
    }
    expect(handed).toBeGreaterThan(90)
    expect(existsSync(canary)).toBe(false)
    expect(readdirSync(folder).sort()).toEqual(['terminal', 'written'])
  })

  it('does not parse a hostile name that replaced the title', () => {
    const { folder, canary, run } = recorder()
    for (const name of hostileStrings(canary)) {
      const title = windowTitle(name, 'root@10.0.0.5')
      expect(run('myterm --title={title} {title} -e {command}', title), name.slice(0, 80)).toEqual([
        `--title=${title}`,
        title,
        '-e',
        ...session,
      ])
    }
    expect(existsSync(canary)).toBe(false)
    expect(readdirSync(folder).sort()).toEqual(['terminal', 'written'])
  })
})
