import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { collect, npm, sayingSo } from './processes.mjs'
import { installArguments, installReason, keychainNotice, withHeaders } from './setup.mjs'

const folders: string[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe('packages of a checkout', () => {
  const installed = { stamp: 'abc', hash: 'abc', hasPackages: true, keytarBuilt: true, canBuildKeytar: true }

  it('are installed once', () => {
    expect(installReason({ ...installed, stamp: undefined, hasPackages: false })).toBe('Installing packages')
    expect(installReason(installed)).toBeUndefined()
  })

  it('are installed again if the lockfile has changed', () => {
    expect(installReason({ ...installed, hash: 'def' })).toMatch(/^The lockfile has changed/)
    expect(installReason({ ...installed, stamp: undefined })).toMatch(/^The packages were not installed by/)
  })

  it('are installed again, once, if keytar was skipped and can be built now', () => {
    const without = { ...installed, keytarBuilt: false }
    expect(installReason({ ...without, canBuildKeytar: false })).toBeUndefined()
    expect(installReason(without)).toMatch(/^What keytar is built with has come since/)
    expect(installReason({ ...without, stamp: 'abc\nwith what keytar is built with' })).toBeUndefined()
  })

  it('lack the keychain if keytar could not be built: each start reports it, and the package to install', () => {
    expect(keychainNotice(true, 'linux')).toBeUndefined()
    expect(keychainNotice(false, 'linux')).toMatch(
      /passwords are not kept .*apt-get install .*libsecret-1-dev/,
    )
    expect(keychainNotice(false, 'darwin')).toContain('It needs a C++ compiler and Python.')
  })

  it('are compiled with the headers of the installed Node, if it has any, without a download', () => {
    const prefix = mkdtempSync(join(tmpdir(), 'wheelhouse-setup-'))
    folders.push(prefix)
    const node = join(prefix, 'bin/node')
    expect(withHeaders(node, { HOME: '/home/ada' })).toEqual({ HOME: '/home/ada' })
    mkdirSync(join(prefix, 'include/node'), { recursive: true })
    writeFileSync(join(prefix, 'include/node/node_api.h'), '')
    expect(withHeaders(node, {})).toEqual({ npm_config_nodedir: prefix })
    const chosen = { npm_config_nodedir: '/elsewhere' }
    expect(withHeaders(node, chosen)).toEqual(chosen)
  })

  it('are installed without warnings about versions of Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-setup-'))
    folders.push(folder)
    mkdirSync(join(folder, 'dependency'))
    const write = (path: string, content: object) =>
      writeFileSync(join(folder, path, 'package.json'), JSON.stringify({ version: '1.0.0', ...content }))
    write('.', { name: 'checkout', dependencies: { dependency: 'file:dependency' } })
    write('dependency', { name: 'dependency', engines: { node: '>=99' } })
    const run = (...args: readonly string[]) => {
      const { program, args: all, shell } = npm(args)
      return collect(program, all, { cwd: folder, shell })
    }
    expect((await run('install', '--package-lock-only')).code).toBe(0)
    expect(await run(...installArguments)).toMatchObject({ code: 0, err: '' })
  })
})

describe('a task that takes time', () => {
  it('prints a line again and again until it is done', async () => {
    vi.useFakeTimers()
    const lines: string[] = []
    const say = (line: string): void => void lines.push(line)
    const ended = sayingSo(
      say,
      'Packages are being installed',
      () => new Promise<string>((resolve) => setTimeout(() => resolve('done'), 25_000)),
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await ended).toBe('done')
    expect(lines).toEqual([
      'Packages are being installed, 10 s so far',
      'Packages are being installed, 20 s so far',
    ])
  })
})
