import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { languages } from '../src/shared/locale'

// Packaged systems and supported versions of Node: the declarations compared with the workflows.

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Loaded and checked against its schema by electron-builder itself. */
const load = `
  const { getConfig, validateConfiguration } = require('app-builder-lib/out/util/config/config')
  const check = async () => {
    const config = await getConfig(process.cwd(), null, null)
    await validateConfiguration(config, { isEnabled: false, add() {} })
    process.stdout.write('\\n' + JSON.stringify(config))
  }
  check().catch((error) => { console.error(error.message); process.exit(1) })`
const Config = z.object({
  asar: z.literal(true),
  npmRebuild: z.literal(false),
  electronLanguages: z.array(z.string()),
  extraMetadata: z.object({ desktopName: z.string() }),
  electronFuses: z.record(z.string(), z.boolean()),
  afterExtract: z.string(),
  afterPack: z.string(),
  mac: z.object({
    target: z.array(z.string()),
    hardenedRuntime: z.literal(true),
    entitlements: z.string(),
    entitlementsInherit: z.string(),
    notarize: z.literal(true),
  }),
  win: z.object({ target: z.array(z.object({ target: z.string(), arch: z.string() })) }),
  linux: z.object({
    target: z.array(z.string()),
    executableArgs: z.array(z.string()),
    desktop: z.object({ entry: z.record(z.string(), z.string()) }),
  }),
})

describe('electron-builder.yml', () => {
  let config: z.infer<typeof Config>
  beforeAll(() => {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', load], { cwd: root, encoding: 'utf8' })
    expect(stderr).toBe('')
    config = Config.parse(JSON.parse(stdout.split('\n').at(-1) ?? ''))
  }, 240_000)

  it('builds the packages of each system', () => {
    expect(config.mac.target).toEqual(['dmg', 'zip'])
    expect(config.win.target).toEqual([
      { target: 'nsis', arch: 'x64' },
      { target: 'zip', arch: 'x64' },
    ])
    // The deb, the rpm and the tar.gz come from scripts/linux-packages.mjs, on the same runners.
    expect(config.linux.target).toEqual(['AppImage'])
    const runners = [...read('.github/workflows/release.yml').matchAll(/name: ([\w-]+) \}/g)]
    expect(runners.map(([, name]) => name)).toEqual([
      'linux-x64',
      'linux-arm64',
      'mac-arm64',
      'mac-x64',
      'windows-x64',
    ])
  })

  it('hardens the application on macOS, with few and existing entitlements', () => {
    const { entitlements, entitlementsInherit } = config.mac
    expect(entitlementsInherit).toBe(entitlements)
    expect([...read(entitlements).matchAll(/<key>(.+)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.automation.apple-events',
    ])
  })

  it('never turns off the sandbox in an AppImage, and opens the application’s addresses', () => {
    expect(config.linux.executableArgs).toEqual([])
    expect(config.linux.desktop.entry).toMatchObject({
      StartupWMClass: 'wheelhouse',
      MimeType: 'x-scheme-handler/wheelhouse;',
    })
    // Electron 43 and newer name the window's class after it.
    expect(config.extraMetadata.desktopName).toBe('wheelhouse.desktop')
  })

  it('disables unneeded features of a packaged program, and stops without its native modules', () => {
    const opened = Object.entries(config.electronFuses).filter(([, on]) => on)
    expect(opened.map(([name]) => name).sort()).toEqual([
      'enableCookieEncryption',
      'enableEmbeddedAsarIntegrityValidation',
      'onlyLoadAppFromAsar',
      'resetAdHocDarwinSignature',
    ])
    expect(existsSync(join(root, config.afterExtract))).toBe(true)
    expect(existsSync(join(root, config.afterPack))).toBe(true)
  })

  it('keeps Chromium’s texts only in the languages of the application', () => {
    expect([...config.electronLanguages].sort()).toEqual([...languages].sort())
  })
})

const Manifest = z.object({
  license: z.string(),
  engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }),
})
const manifest = Manifest.parse(JSON.parse(read('package.json')))

it('has the licence in its file, which each package contains', () => {
  expect([manifest.license, read('LICENSE').split('\n')[0]]).toEqual(['MIT', 'MIT License'])
  expect(read('electron-builder.yml')).toMatch(/^extraResources:\n {2}- LICENSE$/m)
})

describe('Node', () => {
  const least = manifest.engines.node.slice(2)
  const tested = /node: \[(.+)\]/.exec(read('.github/workflows/test.yml'))?.[1]?.split(', ') ?? []

  it('is tested in the oldest supported version, and in every newer one with long-term support', () => {
    expect(tested.map((version) => version.replaceAll("'", ''))).toEqual([least, '22', '24'])
    expect(read('README.md')).toContain(`22.12 or newer is recommended, ${least} works`)
  })

  it('is a tested version in each workflow', () => {
    const versions = [...read('.github/workflows/release.yml').matchAll(/node-version: (\S+) /g)]
    expect(versions.length).toBeGreaterThan(0)
    for (const [, version] of versions) expect(tested).toContain(version)
  })
})
