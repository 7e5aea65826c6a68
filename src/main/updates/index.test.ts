import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { UpdateHold, UpdatesView } from '#shared/bridge/updates'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { openSettings } from '../store/settings'
import { createUpdates, type UpdatesDeps } from './index'
import type { Updater } from './update-installer'

const offered = { version: '2.0.0', notes: '<p>Faster</p>' }
const coded = (message: string, code?: string) => Object.assign(new Error(message), code && { code })

function setUp({ updates, ...changes }: Partial<Updater & Pick<UpdatesDeps, 'updates' | 'heldBy'>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-updates-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = fakeClock()
  const settings = openSettings(folder)
  const done: string[] = []
  const seen: UpdatesView['state'][] = []
  const updater: Updater = {
    check: async () => (done.push('check'), offered),
    download: async () => void done.push('download'),
    place: async () => void done.push('place'),
    restart: async () => (done.push('restart'), true),
    ...changes,
  }
  const start = () => {
    const made = createUpdates({
      updates: updates ?? updater,
      settings,
      clock,
      report: () => done.push('report'),
      heldBy: changes.heldBy ?? (() => null),
    })
    made.events['updates.changed'](({ state }) => seen.push(state))
    onTestFinished(() => made.close())
    made.start()
    return made
  }
  const { handlers, close } = start()
  /** Runs the due tasks to their end. */
  const pass = async (seconds: number) => {
    clock.advance(seconds)
    await new Promise(setImmediate)
  }
  const state = async () => (await handlers['updates.read']({})).state
  return { clock, done, seen, handlers, close, start, pass, state, settings }
}

describe('checking for a new version', () => {
  it('begins a minute after the start, and repeats every day', async () => {
    const { done, pass, clock } = setUp({ check: async () => (done.push('check'), null) })
    await pass(59)
    expect(done).toEqual([])
    await pass(1)
    expect(done).toEqual(['check'])
    expect(clock.waits()).toEqual([86_400])
    await pass(86_400)
    expect(done).toEqual(['check', 'check'])
  })

  it('shows a version with its notes as text, and downloads nothing', async () => {
    const { done, pass, state } = setUp()
    await pass(60)
    expect(await state()).toEqual({ kind: 'available', version: '2.0.0', notes: 'Faster' })
    expect(done).toEqual(['check'])
  })

  it('shows no failure of an automatic check, and tries again in an hour', async () => {
    const check = () => Promise.reject(coded('net::ERR_INTERNET_DISCONNECTED'))
    const { pass, seen, state, handlers, clock, done } = setUp({ check })
    await pass(60)
    expect(await state()).toEqual({ kind: 'idle', checkedAt: null })
    expect([seen, done, clock.waits()]).toEqual([[], ['report'], [3_600]])
    await handlers['updates.check']({})
    const failed = { kind: 'failed', problem: 'unreachable', reason: 'ERR_INTERNET_DISCONNECTED' }
    expect(seen).toEqual([{ kind: 'checking' }, failed])
  })

  it('continues every day after a failed check, and shows a version found then', async () => {
    let isOnline = false
    const check = () =>
      isOnline ? Promise.resolve(offered) : Promise.reject(coded('net::ERR_INTERNET_DISCONNECTED'))
    const { pass, state, handlers } = setUp({ check })
    await handlers['updates.check']({})
    expect(await state()).toMatchObject({ kind: 'failed' })
    await pass(60)
    isOnline = true
    await pass(3_600)
    expect(await state()).toMatchObject({ kind: 'available', version: '2.0.0' })
  })

  it('continues while a version is offered or downloaded, and a newer one replaces it', async () => {
    let version = '2.0.0'
    const { pass, state, handlers, seen } = setUp({ check: async () => ({ version, notes: '' }) })
    await pass(60)
    await pass(86_400)
    expect(seen).toEqual([{ kind: 'available', version: '2.0.0', notes: '' }])
    version = '2.1.0'
    await pass(86_400)
    expect(await state()).toMatchObject({ kind: 'available', version: '2.1.0' })
    await handlers['updates.download']({})
    await pass(86_400)
    expect(await state()).toMatchObject({ kind: 'ready', version: '2.1.0' })
    version = '2.2.0'
    await pass(86_400)
    expect(await state()).toMatchObject({ kind: 'available', version: '2.2.0' })
  })

  it('waits for an hour while an update is downloaded', async () => {
    let finish = (): void => undefined
    const { pass, state, handlers, clock, done } = setUp({
      download: () => new Promise((resolve) => (finish = resolve)),
    })
    await handlers['updates.check']({})
    const downloading = handlers['updates.download']({})
    await pass(60)
    expect([done, clock.waits()]).toEqual([['check'], [3_600]])
    finish()
    await downloading
    expect(await state()).toMatchObject({ kind: 'ready' })
  })

  it('stops when switched off, restarts when switched on, and the setting survives a restart', async () => {
    const { done, pass, handlers, clock, start } = setUp()
    expect(await handlers['updates.setAutomatic']({ automatic: false })).toMatchObject({ automatic: false })
    await pass(200_000)
    expect([done, clock.pending()]).toEqual([[], 0])
    expect(await start().handlers['updates.read']({})).toMatchObject({ automatic: false })
    expect(clock.pending()).toBe(0)
    await handlers['updates.setAutomatic']({ automatic: true })
    await pass(60)
    expect(done).toEqual(['check'])
  })

  it('reports that there is no newer version', async () => {
    const { handlers, clock } = setUp({ check: async () => null })
    expect((await handlers['updates.check']({})).state).toEqual({ kind: 'idle', checkedAt: clock.now() })
  })

  it('offers a skipped version again only on request', async () => {
    const { pass, handlers, state } = setUp()
    await handlers['updates.check']({})
    await handlers['updates.skip']({})
    await pass(60)
    expect(await state()).toMatchObject({ kind: 'idle' })
    expect((await handlers['updates.check']({})).state).toMatchObject({ kind: 'available' })
  })

  it('never begins if something else replaces the application', async () => {
    const { clock, handlers, state } = setUp({ updates: 'package' })
    expect(clock.pending()).toBe(0)
    for (const name of ['check', 'download', 'restart', 'skip'] as const)
      expect((await handlers[`updates.${name}`]({})).state).toEqual({ kind: 'off', reason: 'package' })
    expect(await state()).toEqual({ kind: 'off', reason: 'package' })
  })

  it('leaves no timer after close', async () => {
    const { clock, close } = setUp()
    close()
    expect(clock.pending()).toBe(0)
  })
})

describe('an update', () => {
  it('is downloaded on request, with its progress, and installed on request', async () => {
    const { handlers, done, seen } = setUp({
      download: async (onProgress) => [0.4, 33.4, 33.9, 100].forEach(onProgress),
    })
    await handlers['updates.check']({})
    await handlers['updates.download']({})
    expect(seen.flatMap((one) => (one.kind === 'downloading' ? one.percent : []))).toEqual([0, 33, 100])
    expect(seen.at(-1)).toEqual({ kind: 'ready', version: '2.0.0', notes: 'Faster', heldBy: null })
    expect(done).toEqual(['check'])
    await handlers['updates.restart']({})
    expect(done).toEqual(['check', 'place', 'restart'])
  })

  it.each([
    ['a creation that is pending', 'creation'],
    ['transfers that are under way', 'transfers'],
  ] as const)('waits for %s, also if they begin while the file is copied', async (_, hold) => {
    let heldBy: UpdateHold | null = hold
    const { handlers, done } = setUp({
      heldBy: () => heldBy,
      place: async () => void (heldBy = hold),
    })
    await handlers['updates.check']({})
    await handlers['updates.download']({})
    const held = { kind: 'ready', version: '2.0.0', notes: 'Faster', heldBy: hold }
    expect((await handlers['updates.restart']({})).state).toEqual(held)
    heldBy = null
    expect((await handlers['updates.restart']({})).state).toEqual(held)
    expect(done).toEqual(['check', 'download'])
  })

  it('can still be restarted after the user refused, with the reason to wait', async () => {
    let heldBy: UpdateHold | null = null
    const { handlers, done, seen } = setUp({
      heldBy: () => heldBy,
      restart: async () => ((heldBy = 'transfers'), done.push('kept'), false),
    })
    await handlers['updates.check']({})
    await handlers['updates.download']({})
    const ready = { kind: 'ready', version: '2.0.0', notes: 'Faster' }
    expect((await handlers['updates.restart']({})).state).toEqual({ ...ready, heldBy: 'transfers' })
    expect(seen.at(-1)).toEqual({ ...ready, heldBy: 'transfers' })
    heldBy = null
    await handlers['updates.restart']({})
    expect(done).toEqual(['check', 'download', 'place', 'kept', 'place', 'kept'])
  })

  it.each([
    [
      coded('sha512 checksum mismatch, expected a, got b', 'ERR_CHECKSUM_MISMATCH'),
      'damaged',
      'ERR_CHECKSUM_MISMATCH',
    ],
    [coded('404', 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'no-release', 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'],
    [coded('500\nheaders', 'HTTP_ERROR_500'), 'no-release', 'HTTP_ERROR_500'],
    [coded('net::ERR_CONTENT_LENGTH_MISMATCH'), 'unreachable', 'ERR_CONTENT_LENGTH_MISMATCH'],
    [coded('Unexpected\nstack'), 'unknown', 'Unexpected'],
  ])('reports why it was not downloaded: %s', async (error, problem, reason) => {
    const { handlers } = setUp({ download: () => Promise.reject(error) })
    await handlers['updates.check']({})
    const { state } = await handlers['updates.download']({})
    expect(state).toEqual({ kind: 'failed', problem, reason })
    expect((await handlers['updates.check']({})).state).toMatchObject({ kind: 'available' })
  })

  it('reports that it could not be put in place, and does not restart', async () => {
    const { handlers, done } = setUp({
      place: () => Promise.reject(coded('EACCES: permission denied', 'EACCES')),
    })
    await handlers['updates.check']({})
    await handlers['updates.download']({})
    const { state } = await handlers['updates.restart']({})
    expect(state).toEqual({ kind: 'failed', problem: 'not-installed', reason: 'EACCES' })
    expect(done).toEqual(['check', 'download'])
  })
})
