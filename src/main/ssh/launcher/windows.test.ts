import { describe, expect, it } from 'vitest'
import type { SessionWindow } from './terminal'
import { windowsTerminals } from './windows'

const args = [
  '-o',
  'UserKnownHostsFile=known_hosts',
  '-i',
  'C:/Users/Jane Doe/id',
  '-l',
  'root',
  '--',
  '10.0.0.5',
]
const window: SessionWindow = {
  ssh: 'C:\\Windows\\System32\\OpenSSH\\ssh.exe',
  args,
  title: "it's; one",
  hold: false,
  folder: 'C:\\Users\\Jane Doe\\AppData\\Roaming\\Wheelhouse',
}
const terminals = windowsTerminals('C:\\Windows', 'C:\\Users\\Jane Doe\\AppData\\Local', 'C:\\Program Files')
const launched = (id: string, program: string, changes: Partial<SessionWindow> = {}) =>
  terminals.find((each) => each.id === id)?.launch(program, { ...window, ...changes })

describe('Windows Terminal', () => {
  it('gets ssh as an argument list and starts in the folder of the known-hosts file', () => {
    expect(launched('windows-terminal', 'C:\\wt.exe', { title: 'one' })).toEqual({
      file: 'C:\\wt.exe',
      args: ['new-tab', '--title', 'one', '-d', window.folder, window.ssh, ...args],
    })
  })

  it('does not split its command at a semicolon', () => {
    const given = launched('windows-terminal', 'C:\\wt.exe', {
      title: 'a;b; new-tab calc.exe',
      folder: 'C:\\a;b',
      args: ['-i', 'C:/k;ey'],
    })
    expect(given?.args).toEqual([
      'new-tab',
      '--title',
      'a\\;b\\; new-tab calc.exe',
      '-d',
      'C:\\a\\;b',
      window.ssh,
      '-i',
      'C:/k\\;ey',
    ])
  })
})

describe.each(['pwsh', 'powershell'])('%s', (id) => {
  it('runs string literals only, in its own console', () => {
    const given = launched(id, 'C:\\pwsh.exe', { title: 'o\u2019neil $(calc) "x"' })
    expect(given?.file).toBe('C:\\Windows\\System32\\conhost.exe')
    expect(given?.args.slice(0, -1)).toEqual(['C:\\pwsh.exe', '-NoLogo', '-NoProfile', '-Command'])
    expect(given?.args.at(-1)).toBe(
      '$Host.UI.RawUI.WindowTitle = \'o\u2019\u2019neil $(calc) "x"\'; ' +
        "Set-Location -LiteralPath 'C:\\Users\\Jane Doe\\AppData\\Roaming\\Wheelhouse'; " +
        "& 'C:\\Windows\\System32\\OpenSSH\\ssh.exe' '-o' 'UserKnownHostsFile=known_hosts' '-i' 'C:/Users/Jane Doe/id' " +
        "'-l' 'root' '--' '10.0.0.5'; " +
        'if ($LASTEXITCODE -eq 255) { [void][Console]::ReadKey($true) }',
    )
  })

  it('can’t be escaped by a quote in a name', () => {
    const script = launched(id, 'C:\\pwsh.exe', { title: "'; calc; '" })?.args.at(-1)
    expect(script).toMatch(/^\$Host\.UI\.RawUI\.WindowTitle = '''; calc; '''; Set-Location/)
  })
})

describe('the command prompt', () => {
  it('runs ssh in its own console and waits for a key when it fails', () => {
    expect(launched('cmd', 'C:\\Windows\\System32\\cmd.exe')).toEqual({
      file: 'C:\\Windows\\System32\\conhost.exe',
      args: [
        'C:\\Windows\\System32\\cmd.exe',
        '/d',
        '/c',
        'cd',
        '/d',
        window.folder,
        '&&',
        window.ssh,
        ...args,
        '&',
        'if',
        'errorlevel',
        '255',
        'pause',
      ],
    })
  })

  it.each(['C:/50%PATH%/id', 'C:/a&b/id', 'C:/a^b', 'C:/a"b', 'C:/a|b', 'C:/a!b', 'C:/a;b', 'C:/a\nb'])(
    'refuses the identity file %j, which it could misread',
    (path) => {
      expect(() => launched('cmd', 'cmd.exe', { args: ['-i', path] })).toThrow(
        expect.objectContaining({
          failure: { kind: 'invalid-input', field: 'identityFile', reason: 'malformed' },
        }),
      )
    },
  )

  it.each(['C:/Users/jane(work)/.ssh/id', 'C:/Users/Jane (Work)/.ssh/id'])('accepts the file %s', (path) => {
    const folder = 'C:\\Users\\jane(work)\\AppData\\Roaming\\Wheelhouse'
    const given = launched('cmd', 'cmd.exe', { args: ['-i', path], folder })?.args
    expect(given).toEqual(expect.arrayContaining(['-i', path, folder]))
  })

  it('names a folder that it can’t read as the cause', () => {
    expect(() => launched('cmd', 'cmd.exe', { folder: 'C:\\Users\\a&b\\Wheelhouse' })).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ kind: 'local-fault', reason: expect.stringContaining('a&b') }),
      }),
    )
  })

  it('refuses an ssh whose path it would cut off', () => {
    const run = (ssh: string) => launched('cmd', 'cmd.exe', { ssh })?.args
    for (const ssh of ['C:\\a,b\\ssh.exe', 'C:\\a=b\\ssh.exe'])
      expect(() => run(ssh), ssh).toThrow(
        expect.objectContaining({ failure: expect.objectContaining({ kind: 'local-fault' }) }),
      )
    expect(run('C:\\a, b\\ssh.exe')).toContain('C:\\a, b\\ssh.exe')
  })

  it('never gets the name of a machine', () => {
    expect(launched('cmd', 'cmd.exe', { title: 'a & calc' })?.args.join(' ')).not.toContain('calc')
  })
})

it('Windows Terminal is preferred, and the command prompt is the last resort', () => {
  expect(terminals.map(({ id }) => id)).toEqual(['windows-terminal', 'pwsh', 'powershell', 'cmd'])
  expect(terminals[0]?.places).toEqual([
    'C:\\Users\\Jane Doe\\AppData\\Local\\Microsoft\\WindowsApps\\wt.exe',
    'wt.exe',
  ])
})

it('PowerShell 7 and Windows PowerShell are separate choices', () => {
  const places = (id: string) => terminals.find((each) => each.id === id)?.places
  expect(places('pwsh')).toEqual([
    'pwsh.exe',
    'C:\\Program Files\\PowerShell\\7\\pwsh.exe',
    'C:\\Users\\Jane Doe\\AppData\\Local\\Microsoft\\WindowsApps\\pwsh.exe',
  ])
  expect(places('powershell')).toEqual(['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'])
})
