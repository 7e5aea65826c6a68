import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FleetChange } from '#shared/bridge/fleet'
import type { SshConsents } from '#shared/bridge/ssh'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { flakySettings } from '../../../../test/fixtures/flaky-settings'
import { account } from '../../../../test/fixtures/ssh-harness'
import { openSettings, type Sections } from '../../store/settings'
import { createSshConsents, openConsents } from './consents'

function setUp(settings: Sections = flakySettings()) {
  const consents = openConsents(settings)
  const changes = createEmitter<Pick<FleetChange, 'account' | 'status'>>()
  const gone = createEmitter<{ account: string; machines: readonly { id: string }[] }>()
  const listed = new Set(['m1', 'm2'])
  const notFound = () =>
    Promise.reject(new FailureError({ kind: 'refused-by-service', message: 'no such machine', status: 404 }))
  const module = createSshConsents({
    consents,
    fleet: { onChange: changes.on },
    onGone: gone.on,
    machine: (_account, id) => (listed.has(id) ? {} : undefined),
    details: [notFound, notFound],
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  onTestFinished(module.close)
  const seen: SshConsents[] = []
  module.events['ssh.consentsChanged']((view) => seen.push(view))
  const call = module.handlers
  const status = { reading: false, total: null, failure: null }
  return {
    consents,
    seen,
    module,
    listed,
    answer: async (machine: string | null, answers: SshConsents['everyMachine']) =>
      call['ssh.setConsents']({ account, machine, answers }),
    view: async () => call['ssh.consents']({ account }),
    isGone: (id: string): void => gone.emit({ account, machines: [{ id }] }),
    isRead: (asOf: number): void => changes.emit({ account, status: { ...status, asOf } }),
  }
}

describe('consent to use SSH', () => {
  it('applies to every machine, also later ones, and only to the allowed purposes', async () => {
    const { consents, answer, seen } = setUp()
    expect(consents.has(account, 'm1', 'gpu')).toBe(false)
    const view = await answer(null, { gpu: true, files: false })
    expect(seen).toEqual([view])
    expect(view).toEqual({ account, everyMachine: { gpu: true, files: false }, machines: {} })
    const purposes = ['gpu', 'services', 'files'] as const
    expect(purposes.map((purpose) => consents.has(account, 'later', purpose))).toEqual([true, false, false])
    expect(consents.has('another', 'm1', 'gpu')).toBe(false)
  })

  it('of one machine differs from the account only while the answers differ', async () => {
    const { answer, consents } = setUp()
    expect((await answer('m1', { gpu: true, files: true })).machines).toEqual({
      m1: { gpu: true, files: true },
    })
    expect(consents.has(account, 'm2', 'gpu')).toBe(false)
    expect((await answer('m1', { gpu: false })).machines).toEqual({ m1: { files: true } })
    // The account's answer ends the consents of single machines, but not their exceptions.
    await answer(null, { gpu: true })
    await answer('m2', { gpu: false })
    expect((await answer(null, { gpu: true, files: true })).machines).toEqual({ m2: { gpu: false } })
    expect(await answer(null, { gpu: false })).toMatchObject({ machines: { m2: { gpu: false } } })
    // The exception outlives an answer about another purpose.
    expect((await answer('m2', { services: true })).machines).toEqual({
      m2: { gpu: false, services: true },
    })
    expect((await answer('m2', { gpu: false, services: false })).machines).toEqual({})
    await expect(answer('unknown', { gpu: true })).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'machine' },
    })
  })

  it('of a machine that is gone is forgotten, but not its exceptions', async () => {
    const { answer, view, isGone } = setUp()
    await answer('m1', { gpu: true })
    await answer(null, { files: true })
    await answer('m1', { files: false })
    isGone('m1')
    expect(await view()).toEqual({
      account,
      everyMachine: { files: true },
      machines: { m1: { files: false } },
    })
  })

  it('of a machine that was deleted while the application was closed is forgotten', async () => {
    const { answer, view, listed, isRead } = setUp()
    await answer('m1', { gpu: true })
    listed.delete('m1')
    isRead(1)
    expect((await view()).machines).toEqual({ m1: { gpu: true } })
    isRead(2)
    await expect.poll(async () => (await view()).machines).toEqual({})
  })

  it('applies until the application quits if the disk is full', async () => {
    const settings = flakySettings()
    const { answer, consents } = setUp(settings)
    settings.fail(1)
    await expect(answer(null, { gpu: true })).rejects.toMatchObject({ failure: { kind: 'disk-full' } })
    expect(consents.has(account, 'm1', 'gpu')).toBe(true)
  })

  it('outlives the application, without unreadable parts and removed accounts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-consents-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const stored = {
      [account]: {
        everyMachine: { gpu: true, camera: true },
        machines: { m1: { gpu: 'no' }, m2: { gpu: false } },
      },
      other: { everyMachine: { files: true }, machines: {} },
      damaged: 7,
    }
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ 'ssh-consents': stored }))
    const first = openSettings(folder)
    const { module, answer } = setUp(first)
    await answer('m1', { services: true })
    await module.forgetAccount('other')
    await first.close()
    const later = openConsents(openSettings(folder))
    expect(later.of(account)).toEqual({
      everyMachine: { gpu: true },
      machines: { m1: { services: true }, m2: { gpu: false } },
    })
    expect(later.has('other', 'm1', 'files')).toBe(false)
    expect(later.has('damaged', 'm1', 'gpu')).toBe(false)
  })
})
