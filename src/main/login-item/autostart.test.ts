import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { autostartText, createAutostart, loginItemIn } from './autostart'

const program = { file: '/opt/Wheelhouse/wheelhouse', args: ['--hidden'] }

describe('an autostart file', () => {
  it('names the program with its arguments', () => {
    expect(autostartText(program)).toBe(`[Desktop Entry]
Type=Application
Name=Wheelhouse
Icon=wheelhouse
Exec="/opt/Wheelhouse/wheelhouse" "--hidden"
Terminal=false
X-GNOME-Autostart-enabled=true
`)
  })

  it.each([
    ['/home/a b/Wheel "house"', '"/home/a b/Wheel \\\\"house\\\\""'],
    ['/home/$USER/`x`', '"/home/\\\\$USER/\\\\`x\\\\`"'],
    ['/home/back\\slash', '"/home/back\\\\\\\\slash"'],
    ['/home/100%', '"/home/100%%"'],
  ])('quotes the path %s', (file, exec) => {
    expect(autostartText({ file, args: [] })).toContain(`\nExec=${exec}\n`)
    expect(loginItemIn(autostartText({ file, args: [] }), program)).toEqual({ kind: 'other', program: file })
  })

  it('is valid for the validator of freedesktop.org', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'autostart-'))
    const path = join(folder, 'wheelhouse.desktop')
    await writeFile(path, autostartText({ file: '/home/a b/100%/$x', args: ['--hidden'] }))
    expect(execFileSync('desktop-file-validate', [path], { encoding: 'utf8' })).toBe('')
    await rm(folder, { recursive: true })
  })

  it.each([
    [null, 'off'],
    ['', 'off'],
    ['[Desktop Entry]\nType=Application\n', 'off'],
    [autostartText(program), 'on'],
    [`${autostartText(program)}Hidden=true\n`, 'off'],
    [autostartText(program).replace('enabled=true', 'enabled=false'), 'off'],
    [`${autostartText(program)}\n[Desktop Action x]\nHidden=true\n`, 'on'],
    [`# a comment\n${autostartText(program).replace('Exec=', 'Exec = ')}`, 'on'],
  ])('%j is read as %s', (text, kind) => {
    expect(loginItemIn(text, program).kind).toBe(kind)
  })

  it('another copy is reported with its program', () => {
    const text = '[Desktop Entry]\nExec=/home/me/old.AppImage --hidden\n'
    expect(loginItemIn(text, program)).toEqual({ kind: 'other', program: '/home/me/old.AppImage' })
  })
})

describe('opening at login on Linux', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'login-'))
  })
  afterEach(() => rm(home, { recursive: true }))

  it('writes the file into the user’s configuration, and removes it', async () => {
    const autostart = createAutostart({ home, env: {}, program })
    expect(await autostart.read()).toEqual({ kind: 'off' })
    await autostart.change(true)
    const folder = join(home, '.config', 'autostart')
    expect(await readFile(join(folder, 'wheelhouse.desktop'), 'utf8')).toBe(autostartText(program))
    expect(await autostart.read()).toEqual({ kind: 'on' })
    await autostart.change(false)
    await autostart.change(false)
    expect(await readdir(folder)).toEqual([])
  })

  it('follows XDG_CONFIG_HOME unless it is relative', async () => {
    const config = join(home, 'configuration')
    await createAutostart({ home, env: { XDG_CONFIG_HOME: config }, program }).change(true)
    expect(await readdir(join(config, 'autostart'))).toEqual(['wheelhouse.desktop'])
    const relative = createAutostart({ home, env: { XDG_CONFIG_HOME: 'configuration' }, program })
    expect(await relative.read()).toEqual({ kind: 'off' })
  })

  it('is read from the file, also after another program changed it', async () => {
    const autostart = createAutostart({ home, env: {}, program })
    await autostart.change(true)
    await rm(join(home, '.config', 'autostart', 'wheelhouse.desktop'))
    expect(await autostart.read()).toEqual({ kind: 'off' })
  })

  it('fails if the folder cannot be written', async () => {
    await mkdir(join(home, '.config'))
    await writeFile(join(home, '.config', 'autostart'), 'a file')
    await expect(createAutostart({ home, env: {}, program }).change(true)).rejects.toThrow()
  })
})
