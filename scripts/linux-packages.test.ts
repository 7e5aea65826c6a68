import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeWith, findProgram } from '../test/fixtures/system-requirements'
import { buildPackage, type Format } from './linux-packages.mjs'
import { fillIn, packageVersion, stagePackage } from './linux-stage.mjs'

const outputIn = (cwd: string | undefined, program: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  return stdout
}
const output = (program: string, ...args: readonly string[]): string => outputIn(undefined, program, ...args)
/** A name relative to its folder: rpm reads a path as a pattern. */
const query = (file: string, ...args: readonly string[]): string =>
  outputIn(dirname(file), 'rpm', ...args, basename(file))

/** Returns the lines of a listing as mode, owner and path. */
const entries = (listing: string): readonly string[] =>
  listing
    .split('\n')
    .filter(Boolean)
    .map((line) =>
      line.replace(/^(\S+)\s+(?:\d+\s+)?(root)[/ ]+(root)\s.*?(\.?\/\S+( -> \S+)?)$/, '$1 $2:$3 $4'),
    )

describe('a version', () => {
  it('sorts before its release until it is released', () => {
    expect(packageVersion('1.2.0')).toBe('1.2.0')
    expect(packageVersion('1.2.0-rc.1')).toBe('1.2.0~rc.1')
    expect(packageVersion('1.2.0-rc-1')).toBe('1.2.0~rc.1')
    const sorts = (one: string, other: string) =>
      spawnSync('dpkg', ['--compare-versions', packageVersion(one), 'lt', packageVersion(other)]).status
    if (findProgram('dpkg')) expect(sorts('1.2.0-rc.1', '1.2.0')).toBe(0)
  })
})

describeWith(['packaging'], 'Linux packages', () => {
  let work = ''
  let program = ''
  const place = (path: string, mode: number): void => {
    mkdirSync(join(program, dirname(path)), { recursive: true })
    writeFileSync(join(program, path), path)
    chmodSync(join(program, path), mode)
  }
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), "wheelhouse 100% Ada’s 'packages'-"))
    program = join(work, 'unpacked')
    place('wheelhouse', 0o775)
    place('chrome-sandbox', 0o755)
    place('resources/app.asar', 0o600)
  })
  afterEach(() => {
    rmSync(work, { recursive: true, force: true })
  })

  const build = async (format: Format): Promise<string> => {
    const stage = await stagePackage({
      program,
      work: mkdtempSync(join(work, 'stage-')),
      epoch: 1_700_000_000,
      name: 'wheelhouse',
      title: 'Wheelhouse',
      summary: 'Rented GPUs',
      version: '1.2.0-rc.1',
      architecture: 'x64',
    })
    const file = join(stage.work, `package.${format}`)
    await buildPackage(format, stage, file, true)
    return file
  }

  it('belong to root whoever built them, and the sandbox’s helper runs as root', async () => {
    const deb = entries(output('dpkg-deb', '--contents', await build('deb')))
    expect(deb).toContain('-rwxr-xr-x root:root ./opt/wheelhouse/wheelhouse')
    expect(deb).toContain('-rwsr-xr-x root:root ./opt/wheelhouse/chrome-sandbox')
    expect(deb).toContain('-rw-r--r-- root:root ./opt/wheelhouse/resources/app.asar')
    expect(deb).toContain('-rw-r--r-- root:root ./usr/share/applications/wheelhouse.desktop')
    expect(deb).toContain('lrwxrwxrwx root:root ./usr/bin/wheelhouse -> /opt/wheelhouse/wheelhouse')
    expect(deb.filter((entry) => !/ root[:/]root /.test(entry))).toEqual([])

    const rpm = entries(query(await build('rpm'), '-qplv'))
    expect(rpm).toContain('-rwsr-xr-x root:root /opt/wheelhouse/chrome-sandbox')
    expect(rpm).toContain('-rw-r--r-- root:root /opt/wheelhouse/resources/app.asar')
    expect(rpm.filter((entry) => !/ root[:/]root /.test(entry))).toEqual([])

    const archive = output('tar', '--list', '--verbose', '--gzip', '--file', await build('tar.gz'))
    expect(archive).toMatch(/^-rwxr-xr-x 0\/0 .* wheelhouse\/chrome-sandbox$/m)
  })

  it('are identical byte for byte when built again', async () => {
    for (const format of ['deb', 'tar.gz'] as const) {
      const [one, other] = [await build(format), await build(format)]
      expect(readFileSync(one).equals(readFileSync(other)), format).toBe(true)
    }
  })

  it('name the program’s requirements, and their version sorts before its release', async () => {
    const deb = await build('deb')
    expect(output('dpkg-deb', '--field', deb, 'Version').trim()).toBe('1.2.0~rc.1')
    const field = (name: string) => output('dpkg-deb', '--field', deb, name)
    for (const library of ['libsecret-1-0', 'libx11-xcb1']) expect(field('Depends')).toContain(library)
    expect(field('Recommends')).toContain('gnome-keyring')
    expect(field('Suggests')).toContain('gnome-shell-extension-appindicator')
    const rpm = await build('rpm')
    expect(query(rpm, '-qp', '--queryformat', '%{VERSION} %{LICENSE}')).toBe('1.2.0~rc.1 MIT')
    const required = query(rpm, '-qp', '--requires')
    for (const library of ['libsecret-1.so.0', 'libX11-xcb.so.1'])
      expect(required).toContain(`${library}()(64bit)`)
    expect(query(rpm, '-qp', '--recommends')).toContain('gnome-keyring')
    expect(query(rpm, '-qp', '--suggests')).toContain('gnome-shell-extension-appindicator')
  })

  it('have a desktop entry that opens the application’s addresses', () => {
    const entry = join(work, 'wheelhouse.desktop')
    const facts = { name: 'wheelhouse', title: 'Wheelhouse', summary: 'Rented GPUs' }
    writeFileSync(entry, fillIn(readFileSync('build/linux/app.desktop', 'utf8'), facts))
    output('desktop-file-validate', entry)
    expect(readFileSync(entry, 'utf8')).toMatch(/^MimeType=x-scheme-handler\/wheelhouse;$/m)
    expect(readFileSync(entry, 'utf8')).toMatch(/^StartupWMClass=wheelhouse$/m)
  })

  it('have an AppArmor profile that parses', () => {
    const text = fillIn(readFileSync('build/linux/apparmor-profile', 'utf8'), { name: 'wheelhouse' })
    expect(text).toContain('profile wheelhouse /opt/wheelhouse/wheelhouse flags=(unconfined) {')
    const parser = (...args: readonly string[]) => output(findProgram('apparmor_parser') ?? '', ...args)
    // The parser before version 4 has neither that ABI nor the rule, and the deb does not install the
    // profile.
    const old = Number(/version (\d+)/.exec(parser('--version'))?.[1]) < 4
    const profile = join(work, 'profile')
    writeFileSync(profile, old ? text.replace(/^(abi .*|\s+userns,)$/gm, '') : text)
    parser('-QK', profile)
    writeFileSync(profile, text.replace('userns,', 'usernss,'))
    expect(() => parser('-QK', profile)).toThrow('AppArmor parser error')
  })

  it('have maintainer scripts that a shell can parse', () => {
    for (const script of ['postinst', 'postrm']) {
      const file = join(work, script)
      writeFileSync(file, fillIn(readFileSync(`build/linux/${script}`, 'utf8'), { name: 'wheelhouse' }))
      output('sh', '-n', file)
    }
  })
})
