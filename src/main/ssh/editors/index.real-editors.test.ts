import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { EditorId } from '#shared/bridge/editor'
import { hostileStrings } from '../../../../test/fixtures/hostile-strings'
import { sshAliasesHarness } from '../../../../test/fixtures/ssh-aliases-harness'
import { account, invalid, machine } from '../../../../test/fixtures/ssh-harness'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { createEditors } from './index'

const { aliasesOf, bin, home, path, read } = sshAliasesHarness()
const given = (): string => path('given')

/** A program that records its path, working directory and arguments. */
function install(file: string): string {
  mkdirSync(dirname(file), { recursive: true })
  const script = `#!/bin/sh\nprintf '%s\\0' "$0" "$PWD" "$@" > '${given()}'\n`
  writeFileSync(file, script, { mode: 0o755 })
  return file
}
function started() {
  const [file, folder, ...args] = readFileSync(given(), 'utf8').split('\0').slice(0, -1)
  rmSync(given())
  return { file, folder, args }
}

/** Editors of this computer, over aliases that are really written for machines of these names. */
async function editorsFor(names: readonly string[]) {
  const machines = names.map((name, index) => machine({ id: `m${String(index)}`, name }))
  const { aliases, enable } = aliasesOf(new Map([[account, machines]]))
  await enable(true)
  const { handlers } = createEditors({
    home: home(),
    platform: 'linux',
    env: { PATH: bin() },
    aliasOf: aliases.aliasOf,
  })
  const list = async () => (await handlers['editors.list']({})).map(({ id }) => id)
  const open = (editor: EditorId, folder: string | null, id = 'm0') =>
    handlers['editors.open']({ account, machine: id, editor, folder })
  return { list, open }
}

describeWith(['ssh'], 'an editor that is installed', () => {
  const uri = 'vscode-remote://ssh-remote+train-01/srv/a%20b'
  it.each([
    ['vscode', 'bin/code', ['--remote', 'ssh-remote+train-01'], ['--folder-uri', uri]],
    ['cursor', 'bin/cursor', ['--remote', 'ssh-remote+train-01'], ['--folder-uri', uri]],
    ['windsurf', 'bin/windsurf', ['--remote', 'ssh-remote+train-01'], ['--folder-uri', uri]],
    ['zed', 'bin/zed', ['ssh://train-01/~'], ['ssh://train-01/srv/a%20b']],
    ['zed', 'bin/zeditor', ['ssh://train-01/~'], ['ssh://train-01/srv/a%20b']],
    ['zed', 'home of jane/.local/bin/zed', ['ssh://train-01/~'], ['ssh://train-01/srv/a%20b']],
    ...[
      'bin/gateway',
      'bin/jetbrains-gateway',
      'home of jane/.local/share/JetBrains/Toolbox/apps/gateway/bin/gateway',
    ].map(
      (file) =>
        [
          'gateway',
          file,
          ['jetbrains-gateway://connect#type=ssh&host=train-01'],
          ['jetbrains-gateway://connect#type=ssh&host=train-01&projectPath=%2Fsrv%2Fa%20b'],
        ] as const,
    ),
  ] as const)('%s at %s is found and starts with the SSH alias', async (id, place, home, folder) => {
    const file = install(path(place))
    const { list, open } = await editorsFor(['train-01'])
    expect(await list()).toContain(id)
    expect(read()).toContain('\nHost train-01\n')
    for (const [wanted, args] of [
      [null, home],
      [' /srv/a b ', folder],
    ] as const) {
      await open(id, wanted)
      expect(started()).toEqual({ file, folder: path('home of jane'), args })
    }
    rmSync(file)
    await expect(open(id, null)).rejects.toEqual(invalid('editor', 'unknown'))
  })
})

describeWith(['ssh'], 'an editor gets no harmful text', () => {
  const canary = (): string => path('canary')
  const texts = (): readonly string[] => hostileStrings(canary())
  const commands = { cursor: 'cursor', zed: 'zed', gateway: 'gateway' } as const
  beforeEach(() => {
    for (const command of Object.values(commands)) install(join(bin(), command))
  })

  it('as the name of a machine: it does not start', async () => {
    const { open } = await editorsFor(['train-01', ...texts()])
    const hosts = read().match(/^Host .*$/gm)
    expect(hosts).toEqual(['Host train-01'])
    for (let index = 0; index < texts().length; index += 10)
      await expect(open('zed', null, `m${String(index + 1)}`)).rejects.toEqual(
        invalid('machine', 'not-ready'),
      )
    expect([existsSync(given()), existsSync(canary())]).toEqual([false, false])
    await open('zed', null)
    expect(started().args).toEqual(['ssh://train-01/~'])
  })

  it('as a folder: only paths are accepted, and they arrive unchanged', async () => {
    const { open } = await editorsFor(['train-01'])
    /** The host and the folder as a reader of URIs understands them. */
    const understood = (args: readonly string[]): readonly (string | null)[] => {
      const { host, pathname, hash } = new URL(args.at(-1) ?? '')
      const parameters = new URLSearchParams(hash.slice(1))
      return hash === ''
        ? [host.replace('ssh-remote+', ''), decodeURIComponent(pathname)]
        : [parameters.get('host'), parameters.get('projectPath')]
    }
    let [refused, opened] = [0, 0]
    for (const [index, text] of texts()
      .filter((_, at) => at % 4 === 0)
      .entries()) {
      const editor = (['cursor', 'zed', 'gateway'] as const)[index % 3] ?? 'zed'
      const folder = `/srv/${text}`
      try {
        await open(editor, folder)
      } catch (error) {
        expect([invalid('folder', 'malformed'), invalid('folder', 'too-long')]).toContainEqual(error)
        expect(existsSync(given())).toBe(false)
        refused += 1
        continue
      }
      const { args } = started()
      expect(args).toHaveLength(editor === 'cursor' ? 2 : 1)
      expect(understood(args)).toEqual(['train-01', folder.trim()])
      opened += 1
    }
    expect([refused > 10, opened > 10, existsSync(canary())]).toEqual([true, true, false])
  })
})
