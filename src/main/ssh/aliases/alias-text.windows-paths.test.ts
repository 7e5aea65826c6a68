import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { account, sshHarness } from '../../../../test/fixtures/ssh-harness'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { isPlainPath } from '../client/plain-values'
import { aliasText } from './alias-text'
import { hostsIn, includePaths, includesIn, runsCommands } from './ssh-config-parser'

const { path } = sshHarness()
const configOf = (text: string): string => {
  writeFileSync(path('configuration'), text, { mode: 0o600 })
  return path('configuration')
}

/** A Windows path as written in an ssh configuration. */
const names = [
  ['C:\\Users\\jane\\.ssh\\id_ed25519', 'C:/Users/jane/.ssh/id_ed25519'],
  ['C:\\Users\\Jane Doe\\.ssh\\id', 'C:/Users/Jane Doe/.ssh/id'],
  ["D:\\O'Brien & Söhne (work)\\#1\\id, new", "D:/O'Brien & Söhne (work)/#1/id, new"],
  ['C:\\Users\\JANE~1\\keys\\new\\table', 'C:/Users/JANE~1/keys/new/table'],
  ['\\\\server\\home$\\Jane Doe\\.ssh\\id', '//server/home$/Jane Doe/.ssh/id'],
  ['C:\\trailing space \\id', 'C:/trailing space /id'],
] as const

describeWith(['ssh'], 'a configuration with Windows paths', () => {
  it.each(names)('writes %s with slashes, as older versions keep backslashes', (name, read) => {
    const destination = { user: 'ubuntu', host: '10.0.0.5', port: 22, identityFile: name }
    const text = aliasText([{ account, machine: 'm1', alias: 'train-01', destination }], {
      knownHosts: name.replace(/[^\\]+$/, 'known_hosts'),
      platform: 'win32',
      knowsNoCommand: true,
      confirms: false,
    })
    expect(text).not.toContain('\\')
    const lines = execFileSync('ssh', ['-F', configOf(text), '-G', 'train-01'], { encoding: 'utf8' }).split(
      '\n',
    )
    expect(lines).toContain(`identityfile ${read}`)
    expect(lines).toContain(`userknownhostsfile ${read.replace(/[^/]+$/, 'known_hosts')}`)
  })

  it.each([
    'C:\\Users\\Jane\\conf C:/Users/Jane/*.conf ~/conf.d/* ~\\conf.d\\*',
    '"C:\\Users\\Jane Doe\\conf" "C:\\\\Users\\\\Jane Doe\\\\conf.d\\\\*"',
    '\'C:\\O b\' C:/a\\ b C:/Users/"Jane Doe"/conf /x\'y\'"z"',
    '\\\\server\\share\\x "\\\\\\\\server\\\\share\\\\x" //server/share/x',
    '"a \\"b\\" c" \'d "e"\' f\\"g h\\\'i',
    '/x"#"y # "comment',
    'a#b "#c"',
    'C:/Users/Jürgen/conf',
  ])('is split into words as ssh does: %s', (line) => {
    const { stderr } = spawnSync('ssh', ['-v', '-F', configOf(`Include ${line}\n`), '-G', 'x'], {
      encoding: 'utf8',
    })
    /** As it is logged: relative to ~/.ssh, with special characters escaped. */
    const included = [...stderr.matchAll(/include (?:~\/\.ssh\/)?(.*) matched no files/g)].map(
      ([, name = '']) =>
        Buffer.from(
          name.replace(/\\(\d{3}|.)/g, (_, code: string) =>
            code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
          ),
          'latin1',
        ).toString('utf8'),
    )
    expect(included.length).toBeGreaterThan(0)
    expect(includesIn(Buffer.from(`Include ${line}\r\n`).toString('latin1'))).toEqual(included)
  })
})

it('host names in single quotes or with escapes are recognised', () => {
  expect(hostsIn(`Host 'train-01' "eval \\"x\\"" b\\ c "d\n`)).toEqual(['train-01', 'eval "x"', 'b c', 'd'])
})

it.each([
  ['Match exec "touch x"', true],
  ['Match originalhost \'a exec "touch x" user \'b', true],
  ['Match !exec=true', true],
  ['Match host a', false],
  ['Host exec', false],
])('%s may run a command: %s', (line, expected) => {
  expect(runsCommands(`${line}\n`)).toBe(expected)
})

it.each([
  ['C:\\conf\\a', 'C:\\conf\\a'],
  ['c:/conf/*.conf', 'c:\\conf\\*.conf'],
  ['~/conf.d/a', 'C:\\Users\\Jane Doe\\conf.d\\a'],
  ['~\\conf.d\\a', 'C:\\Users\\Jane Doe\\conf.d\\a'],
  ['conf.d\\a', 'C:\\Users\\Jane Doe\\.ssh\\conf.d\\a'],
  ['wheelhouse.conf', 'C:\\Users\\Jane Doe\\.ssh\\wheelhouse.conf'],
  ['\\\\server\\share\\a b', '\\\\server\\share\\a b'],
  ['//server/share/a', '\\\\server\\share\\a'],
])('on Windows, %s means %s', (name, expected) => {
  expect(includePaths(name, 'C:\\Users\\Jane Doe', 'win32')).toEqual([expected])
})

it('no configuration contains a Windows variable, as ssh does not expand it', () => {
  for (const name of ['%USERPROFILE%\\.ssh\\id', 'C:\\100%\\id', 'C:\\${HOME}\\id', 'C:\\a"b', 'C:\\a\nb'])
    expect(isPlainPath(name, 'win32')).toBe(false)
  for (const [name] of names) expect(isPlainPath(name, 'win32')).toBe(true)
})
