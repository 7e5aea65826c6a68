import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { EditorId } from '#shared/bridge/editor'
import { account, invalid } from '../../../../test/fixtures/ssh-harness'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { checkedAlias, checkedFolder, knownEditors } from './editors'
import { createEditors } from './index'

const windows = { LocalAppData: 'C:\\Users\\Ann O\\AppData\\Local', ProgramFiles: 'D:\\Programs' }
const of = (platform: NodeJS.Platform, id: EditorId) =>
  knownEditors(platform, windows, platform === 'win32' ? 'C:\\Users\\Ann O' : '/home/ann').find(
    (editor) => editor.id === id,
  ) ?? expect.fail()

it.each([
  ['vscode', null, ['--remote', 'ssh-remote+train-01']],
  ['cursor', '/srv/a b', ['--folder-uri', 'vscode-remote://ssh-remote+train-01/srv/a%20b']],
  ['windsurf', '/50%/#1?', ['--folder-uri', 'vscode-remote://ssh-remote+train-01/50%25/%231%3F']],
  ['zed', null, ['ssh://train-01/~']],
  ['zed', '/srv/é;&"$(x)', ['ssh://train-01/srv/%C3%A9%3B%26%22%24(x)']],
  ['gateway', null, ['jetbrains-gateway://connect#type=ssh&host=train-01']],
  ['gateway', '/a&b=c', ['jetbrains-gateway://connect#type=ssh&host=train-01&projectPath=%2Fa%26b%3Dc']],
] as const)('%s starts with one alias and %j, the same on every system', (id, folder, args) => {
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(of(platform, id).launch('/program', 'train-01', folder)).toEqual({ file: '/program', args })
})

it('Windows programs are started directly, never by their scripts', () => {
  const places = knownEditors('win32', windows, 'C:\\Users\\Ann O').flatMap((editor) => editor.places)
  expect(places).toContain('C:\\Users\\Ann O\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe')
  expect(places).toContain('D:\\Programs\\Microsoft VS Code\\Code.exe')
  expect(places.filter((place) => !place.endsWith('.exe'))).toEqual([])
  expect(of('darwin', 'zed').places).toContain('/Applications/Zed.app/Contents/MacOS/cli')
})

it.each([
  null,
  '',
  '-oProxyCommand=x',
  '--remote',
  'a b',
  'a\nb',
  'a\0b',
  "a'b",
  'a"b',
  'a;b',
  'a`b`',
  'a$(b)',
  'a%b',
  'a/b',
  'a\\b',
  'a.b',
  'a:b',
  'a@b',
  'a#b',
  'a+b',
  'а-cyrillic',
  'a\u202eb',
  'a'.repeat(64),
  'x'.repeat(65_536),
])('no editor gets %j as a machine', (alias) => {
  expect(() => checkedAlias(alias)).toThrow(invalid('machine', 'not-ready'))
})

it.each([
  'relative',
  '~/home',
  '//server/share',
  'C:\\Users',
  '-option',
  '/a/../etc',
  '/./a',
  '/a\nb',
  '/a\0b',
  '/a\u001b]0;x\u0007',
  '/a\u202eb',
  '/a\u2028b',
  '/\ud800',
])('no editor gets %j as a folder', (folder) => {
  expect(() => checkedFolder(folder)).toThrow(invalid('folder', 'malformed'))
})

it('a folder may be absent, and its length is limited', () => {
  expect([checkedFolder(null), checkedFolder('  '), checkedFolder(' /srv ')]).toEqual([null, null, '/srv'])
  expect(() => checkedFolder(`/${'x'.repeat(2_000)}`)).toThrow(invalid('folder', 'too-long'))
})

it('only installed editors are listed, and they get their arguments unchanged', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const file = join(bin, 'cursor')
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/arguments'\n`)
  chmodSync(file, 0o755)
  let alias: string | null = 'train-01'
  const { handlers } = createEditors({
    home: folder,
    platform: 'linux',
    env: { PATH: bin },
    aliasOf: () => Promise.resolve(alias),
  })
  const list = await handlers['editors.list']({})
  expect(list.filter(({ id }) => id === 'cursor')).toEqual([{ id: 'cursor', name: 'Cursor' }])
  const input = { account, machine: 'm1', editor: 'cursor', folder: '/srv/$(touch x)' } as const
  await handlers['editors.open'](input)
  expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe(
    '--folder-uri\nvscode-remote://ssh-remote+train-01/srv/%24(touch%20x)\n',
  )
  expect(existsSync(join(folder, 'x'))).toBe(false)
  alias = null
  await expect(handlers['editors.open'](input)).rejects.toEqual(invalid('machine', 'not-ready'))
  writeFileSync(file, '#!/bin/sh\necho no display >&2\nexit 3\n')
  alias = 'train-01'
  await expect(handlers['editors.open'](input)).rejects.toMatchObject({
    failure: { kind: 'local-fault', reason: 'no display' },
  })
})
