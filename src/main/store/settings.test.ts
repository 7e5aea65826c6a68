import { lstat, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openSettings } from './settings'

const Window = z.object({ width: z.number().default(1200), theme: z.string().default('system') })
const Hosts = z.object({ names: z.array(z.string()).default([]) })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-settings-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const onDisk = async (): Promise<unknown> => JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8'))

describe('settings', () => {
  it('have the defaults of their sections and write nothing until something changes', async () => {
    const settings = openSettings(folder)
    expect(settings.section('window', Window).read()).toEqual({ width: 1200, theme: 'system' })
    expect(settings.notices()).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('apply a change at once and keep it over a restart', async () => {
    const window = openSettings(folder).section('window', Window)
    const written = window.change((value) => ({ ...value, width: 900 }))
    expect(window.read().width).toBe(900)
    await written
    expect(openSettings(folder).section('window', Window).read()).toEqual({ width: 900, theme: 'system' })
  })

  it.skipIf(process.platform === 'win32')('can be read by their owner alone', async () => {
    await openSettings(folder)
      .section('window', Window)
      .change((value) => value)
    expect((await stat(join(folder, 'settings.json'))).mode & 0o777).toBe(0o600)
  })

  it('keep the sections of a newer version unchanged', async () => {
    await writeFile(join(folder, 'settings.json'), '{"future":{"a":[1]},"window":{"width":800}}')
    await openSettings(folder)
      .section('window', Window)
      .change((value) => ({ ...value, theme: 'dark' }))
    expect(await onDisk()).toEqual({ future: { a: [1] }, window: { width: 800, theme: 'dark' } })
  })

  it('write many changes one after another, the last per section wins, without leftovers', async () => {
    const settings = openSettings(folder)
    const window = settings.section('window', Window)
    const hosts = settings.section('hosts', Hosts)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => [
        window.change((value) => ({ ...value, width: index })),
        hosts.change((value) => ({ names: [...value.names, `host-${String(index)}`] })),
      ]).flat(),
    )
    expect(await onDisk()).toMatchObject({ window: { width: 49 } })
    expect(openSettings(folder).section('hosts', Hosts).read().names).toHaveLength(50)
    expect(await readdir(folder)).toEqual(['settings.json'])
  })

  it('are read behind a byte order mark', async () => {
    await writeFile(join(folder, 'settings.json'), '\uFEFF{"window":{"width":800}}')
    const settings = openSettings(folder)
    expect(settings.section('window', Window).read().width).toBe(800)
    expect(settings.notices()).toEqual([])
  })

  it.skipIf(process.platform === 'win32').each(['{"window":{"width":800}}', null])(
    'are written to the target of a link, which stays a link (target holds %s)',
    async (text) => {
      const target = join(folder, 'dotfiles', 'wheelhouse.json')
      await mkdir(join(folder, 'dotfiles'))
      if (text !== null) await writeFile(target, text)
      await symlink(join('dotfiles', 'wheelhouse.json'), join(folder, 'settings.json'))
      await openSettings(folder)
        .section('window', Window)
        .change((value) => ({ ...value, theme: 'dark' }))
      expect((await lstat(join(folder, 'settings.json'))).isSymbolicLink()).toBe(true)
      expect(JSON.parse(await readFile(target, 'utf8'))).toMatchObject({ window: { theme: 'dark' } })
      expect(await readdir(join(folder, 'dotfiles'))).toEqual(['wheelhouse.json'])
    },
  )

  it.skipIf(process.platform === 'win32')(
    'remove an interrupted write next to the target of a link',
    async () => {
      await mkdir(join(folder, 'dotfiles'))
      await writeFile(join(folder, 'dotfiles', 'wheelhouse.json'), '{}')
      await writeFile(join(folder, 'dotfiles', 'wheelhouse.json.0123abcd.tmp'), '{')
      await symlink(join('dotfiles', 'wheelhouse.json'), join(folder, 'settings.json'))
      openSettings(folder)
      expect(await readdir(join(folder, 'dotfiles'))).toEqual(['wheelhouse.json'])
    },
  )
})

describe('damaged settings', () => {
  it('quarantine a damaged file with a notice and keep its text', async () => {
    await writeFile(join(folder, 'settings.json'), '{"window": {"width"')
    const settings = openSettings(folder)
    expect(settings.notices()).toEqual([
      { kind: 'damaged', section: null, keptAs: 'settings.damaged-1.json', reason: 'not JSON' },
    ])
    await settings.section('window', Window).change((value) => ({ ...value, width: 700 }))
    expect(await readFile(join(folder, 'settings.damaged-1.json'), 'utf8')).toBe('{"window": {"width"')
    expect(await onDisk()).toMatchObject({ window: { width: 700 } })
  })

  it('never overwrite a quarantined file', async () => {
    for (const text of ['first', 'second']) {
      await writeFile(join(folder, 'settings.json'), text)
      openSettings(folder)
    }
    expect(await readFile(join(folder, 'settings.damaged-1.json'), 'utf8')).toBe('first')
    expect(await readFile(join(folder, 'settings.damaged-2.json'), 'utf8')).toBe('second')
  })

  it('lose only an unreadable field, which stays in the file until it is changed', async () => {
    await writeFile(join(folder, 'settings.json'), '{"window":{"width":"wide","theme":"dark"}}')
    const settings = openSettings(folder)
    const window = settings.section('window', Window)
    expect(window.read()).toEqual({ width: 1200, theme: 'dark' })
    expect(settings.notices()).toMatchObject([{ kind: 'partial', keptAs: null, reason: 'window.width' }])
    await window.change((value) => ({ ...value, theme: 'light' }))
    expect(await onDisk()).toEqual({ window: { width: 'wide', theme: 'light' } })
    await window.change((value) => ({ ...value, width: 640 }))
    expect(await onDisk()).toEqual({ window: { width: 640, theme: 'light' } })
  })

  it('lose only an unreadable list element, which stays in the file', async () => {
    const People = z.object({
      people: z.array(z.object({ id: z.string(), kind: z.enum(['one', 'two']) })).default([]),
      chosen: z.string().nullable().default(null),
    })
    const later = { id: 'b', kind: 'of a later version', more: { deep: [1] } }
    const kept = { people: [{ id: 'a', kind: 'one' }, later, 'odd', { id: 'c', kind: 'two' }], chosen: 'a' }
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ people: kept }))
    const section = openSettings(folder).section('people', People)
    expect(section.read().people.map(({ id }) => id)).toEqual(['a', 'c'])
    await section.change((value) => ({ ...value, people: value.people.filter(({ id }) => id !== 'a') }))
    expect(await onDisk()).toEqual({
      people: { people: [{ id: 'c', kind: 'two' }, later, 'odd'], chosen: 'a' },
    })
    expect(openSettings(folder).section('people', People).read().people).toHaveLength(1)
  })

  it('lose only a map entry without a required field', async () => {
    const Limits = z.object({
      limits: z.record(z.string(), z.object({ budget: z.object({ amount: z.number() }) })).default({}),
    })
    const limits = { a: { budget: { amount: 'much' } }, b: { budget: { amount: 5 } } }
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ limits: { limits } }))
    const section = openSettings(folder).section('limits', Limits)
    expect(section.read()).toEqual({ limits: { b: { budget: { amount: 5 } } } })
    await section.change((value) => value)
    expect(await onDisk()).toEqual({ limits: { limits } })
  })

  it('reset a section if nothing in it fits, and keep a copy', async () => {
    const text = '{"window":"wide","hosts":{"names":["a"]}}'
    await writeFile(join(folder, 'settings.json'), text)
    const settings = openSettings(folder)
    expect(settings.section('window', Window).read().width).toBe(1200)
    expect(settings.section('hosts', Hosts).read().names).toEqual(['a'])
    expect(settings.notices()).toEqual([
      { kind: 'damaged', section: 'window', keptAs: 'settings.damaged-1.json', reason: 'window' },
    ])
    expect(await readFile(join(folder, 'settings.damaged-1.json'), 'utf8')).toBe(text)
  })

  it('keep one copy of a misfit section, however often they are opened and whatever else changes', async () => {
    await writeFile(join(folder, 'settings.json'), '{"window":"wide","hosts":5}')
    for (const width of [1, 2, 3]) {
      for (const count of [1, 2]) {
        const settings = openSettings(folder)
        const sections = {
          window: settings.section('window', Window),
          hosts: settings.section('hosts', Hosts),
        }
        expect(settings.notices().length).toBeLessThanOrEqual(width === 1 ? 2 : 0)
        if (count === 2) await sections.window.change((value) => ({ ...value, width }))
      }
    }
    expect((await readdir(folder)).toSorted()).toEqual(['settings.damaged-1.json', 'settings.json'])
  })

  it('report a failing disk and keep the value in memory until the next successful change', async () => {
    const settings = openSettings(folder)
    const window = settings.section('window', Window)
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file where the folder was')
    await expect(window.change((value) => ({ ...value, width: 640 }))).rejects.toMatchObject({
      failure: { kind: 'local-fault', action: 'settings.write' },
    })
    expect(window.read().width).toBe(640)
    await rm(folder)
    await window.change((value) => ({ ...value, theme: 'dark' }))
    expect(await onDisk()).toEqual({ window: { width: 640, theme: 'dark' } })
  })

  it('are on disk once they are closed, and write nothing after that', async () => {
    const settings = openSettings(folder)
    const window = settings.section('window', Window)
    const changes = [900, 800].map((width) => window.change((value) => ({ ...value, width })))
    await settings.close()
    expect(await onDisk()).toMatchObject({ window: { width: 800 } })
    await Promise.all(changes)
    await rm(folder, { recursive: true })
    await window.change((value) => ({ ...value, width: 700 }))
    await expect(stat(folder)).rejects.toThrow('ENOENT')
    expect(window.read().width).toBe(700)
  })

  it('never overwrite a file that cannot be read', async () => {
    await mkdir(join(folder, 'settings.json'))
    const settings = openSettings(folder)
    expect(settings.notices()).toMatchObject([{ kind: 'unreadable', keptAs: null }])
    const window = settings.section('window', Window)
    await expect(window.change((value) => ({ ...value, width: 1 }))).rejects.toMatchObject({
      failure: { kind: 'local-fault' },
    })
    expect((await stat(join(folder, 'settings.json'))).isDirectory()).toBe(true)
  })
})
