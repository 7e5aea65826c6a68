import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { sshHarness } from '../../../../test/fixtures/ssh-harness'
import { aliasFileHeader } from './alias-text'
import { openConfigFiles } from './config-files'
import { namesInUse } from './names-in-use'
import { aliasFileOf, includeLine } from './ssh-config-parser'

const { home, path } = sshHarness()
const inSsh = (...names: readonly string[]): string => join(home(), '.ssh', ...names)
const files = () => openConfigFiles(home(), 'linux')
const config = (): string => readFileSync(inSsh('config'), 'latin1')
const put = (text: string, mode = 0o600): void =>
  writeFileSync(inSsh('config'), text, { encoding: 'latin1', mode })
const mode = (name: string): number => statSync(inSsh(name)).mode & 0o777
const refusal = expect.objectContaining({ failure: expect.objectContaining({ kind: 'local-fault' }) })

async function onAndOff(): Promise<void> {
  const { made } = await files().include()
  await files().writeAliases(`${aliasFileHeader}\n`)
  await files().exclude(made)
}

describe('the user’s configuration', () => {
  it.each(['', 'Host a\r\n  User j\xff', 'Host a', '\n\n# caf\xe9\n'])(
    'has the same bytes after a change to %j was undone',
    async (text) => {
      put(text, 0o640)
      chmodSync(inSsh('config'), 0o640)
      const { made } = await files().include()
      expect(made).toBe(false)
      expect(config().startsWith(includeLine)).toBe(true)
      expect(readFileSync(inSsh('config.before-wheelhouse'), 'latin1')).toBe(text)
      expect(mode('config')).toBe(0o640)
      await files().exclude(made)
      expect(config()).toBe(text)
      expect(mode('config')).toBe(0o640)
      expect(readdirSync(inSsh())).toEqual(['config'])
    },
  )

  it('is created with its folder if missing, and removed again', async () => {
    rmSync(inSsh(), { recursive: true })
    await files().writeAliases(`${aliasFileHeader}\n`)
    expect(await files().include()).toEqual({ made: true })
    expect([statSync(inSsh()).mode & 0o777, mode('config'), mode('wheelhouse.conf')]).toEqual([
      0o700, 0o600, 0o600,
    ])
    await files().exclude(true)
    expect(readdirSync(inSsh())).toEqual([])
  })

  it('keeps lines that the user added, and the backup', async () => {
    put('Host a\n')
    const { made } = await files().include()
    put(`${config()}Host b\n`)
    await files().exclude(made)
    expect(config()).toBe('Host a\nHost b\n')
    expect(readFileSync(inSsh('config.before-wheelhouse'), 'utf8')).toBe('Host a\n')
    await files().include()
    expect(readFileSync(inSsh('config.before-wheelhouse'), 'utf8')).toBe('Host a\n')
  })

  it('stays a link, and the file behind it is changed', async () => {
    mkdirSync(path('dot files'))
    writeFileSync(path('dot files', 'config'), 'Host a\n', { mode: 0o644 })
    symlinkSync(path('dot files', 'config'), inSsh('config'))
    const { made } = await files().include()
    expect(lstatSync(inSsh('config')).isSymbolicLink()).toBe(true)
    expect(readFileSync(path('dot files', 'config'), 'utf8')).toBe(`${includeLine}\nHost a\n`)
    await files().exclude(made)
    expect(readFileSync(path('dot files', 'config'), 'utf8')).toBe('Host a\n')
  })

  it.each([
    ['read-only', () => put('Host a\n', 0o400)],
    ['a folder', () => mkdirSync(inSsh('config'))],
    ['no configuration', () => put('PK\x03\x04\0')],
    ['far too large', () => put('# a\n'.repeat(300_000))],
    ['a link to nothing', () => symlinkSync('/nowhere/config', inSsh('config'))],
  ])('stays unchanged if it is %s', async (_what, make) => {
    make()
    const before = lstatSync(inSsh('config'))
    await expect(files().include()).rejects.toThrow(refusal)
    const { mtimeMs, mode: kept, ino } = lstatSync(inSsh('config'))
    expect([mtimeMs, kept, ino]).toEqual([before.mtimeMs, before.mode, before.ino])
  })

  it('names its hosts and the hosts of included files', async () => {
    mkdirSync(inSsh('conf.d'))
    writeFileSync(inSsh('conf.d', 'a.conf'), `Host included\nInclude conf.d/*\n`)
    writeFileSync(inSsh('other'), 'Host other\n')
    put('Include conf.d/*.conf ~/.ssh/other /nowhere/x\nHost own *.lab\n')
    expect((await files().hosts()).toSorted()).toEqual(['included', 'other', 'own'])
  })

  it.each([
    'conf.d/*/config',
    '~/.ssh/conf.d/*/config',
    'c*.d/w?rk/c*',
    'conf.d/[vw]ork/config',
    'conf.d/[!a-v]ork/*',
    '*/*/*',
  ])('names the hosts of the files that match %s', async (pattern) => {
    mkdirSync(inSsh('conf.d', 'work'), { recursive: true })
    mkdirSync(inSsh('conf.d', '.hidden'))
    writeFileSync(inSsh('conf.d', 'work', 'config'), 'Host train-01\n')
    writeFileSync(inSsh('conf.d', '.hidden', 'config'), 'Host hidden\n')
    writeFileSync(inSsh('conf.d', 'notes'), '')
    put(`Include ${pattern}\n`)
    expect(await files().hosts()).toEqual(['train-01'])
    put(`Include "${inSsh('conf.d/.h*/config')}" conf.d/[z-a]/* conf.d/[^a-v]ork/* nowhere/*/config\n`)
    expect(await files().hosts()).toEqual(['hidden'])
  })

  it.each(['~root/.ssh/config', '%u/config', '${XDG_CONFIG_HOME}/ssh', '/etc/%l.conf'])(
    'may name any host if it includes %s, which can’t be resolved',
    async (name) => {
      put(`Include ${name}\nHost own\n`)
      const configured = await files().hosts()
      const inUse = namesInUse(['train-01'], { configured, known: [], system: [] })
      expect([...inUse.keys()]).toEqual(['train-01'])
    },
  )

  it.each(['%d/.ssh/conf.d/x', '${HOME}/.ssh/conf.d/x'])('includes %s, like ssh since 9.9', async (name) => {
    mkdirSync(inSsh('conf.d'))
    writeFileSync(inSsh('conf.d', 'x'), 'Host included\n')
    put(`Include ${name}\n`)
    expect(await files().hosts()).toEqual(['included'])
  })

  it('is combined with the system’s, whose paths are relative to its own folder', async () => {
    const system = path('etc ssh')
    mkdirSync(join(system, 'ssh_config.d'), { recursive: true })
    writeFileSync(join(system, 'ssh_config'), 'Include ssh_config.d/*.conf\nHost *\nHost gate lab-*\n')
    writeFileSync(join(system, 'ssh_config.d', 'site.conf'), 'Match host nas\n')
    put('Host own\n')
    const all = await openConfigFiles(home(), 'linux', 'wheelhouse.conf', system).hosts()
    expect(all.toSorted()).toEqual(['gate', 'lab-*', 'nas', 'own'])
  })
})

describe('the file of aliases', () => {
  beforeEach(() => put('Host a\n'))

  it('of another profile keeps its content', async () => {
    const name = aliasFileOf('/elsewhere', '/usual')
    const [usual, other] = [files(), openConfigFiles(home(), 'linux', name)]
    await usual.writeAliases(`${aliasFileHeader}\nHost train-01\n`)
    await usual.include()
    expect(await other.isIncluded()).toBe(false)
    await other.writeAliases(`${aliasFileHeader}\nHost eval\n`)
    await other.include()
    expect(config()).toBe(`Include ${name}\n${includeLine}\nHost a\n`)
    expect(await other.hosts()).toEqual(['a', 'train-01'])
    expect(await usual.hosts()).toEqual(['a', 'eval'])
    await usual.exclude(false)
    expect(config()).toBe(`Include ${name}\nHost a\n`)
    expect(readFileSync(inSsh(name), 'utf8')).toContain('Host eval')
    await other.exclude(false)
    expect(config()).toBe('Host a\n')
    expect(readdirSync(inSsh())).toEqual(['config'])
  })

  it('is not written if it is the same', async () => {
    await files().writeAliases(`${aliasFileHeader}\n`)
    const { ino } = statSync(inSsh('wheelhouse.conf'))
    await files().writeAliases(`${aliasFileHeader}\n`)
    expect(statSync(inSsh('wheelhouse.conf')).ino).toBe(ino)
    await onAndOff()
    expect(existsSync(inSsh('wheelhouse.conf'))).toBe(false)
  })

  it('of another program stays', async () => {
    writeFileSync(inSsh('wheelhouse.conf'), 'Host mine\n')
    await expect(files().writeAliases(`${aliasFileHeader}\n`)).rejects.toThrow(refusal)
    await files().exclude(false)
    expect(readFileSync(inSsh('wheelhouse.conf'), 'utf8')).toBe('Host mine\n')
  })
})
