import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { publicKey } from '../../../test/fixtures/creation-order'
import { runSandbox } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { type ModulesHarnessDeps, startModules } from '../../../test/fixtures/modules-harness'

/** Modules with an account of the sandbox and a downloaded update; `done` records restarts. */
async function open(deps: Pick<ModulesHarnessDeps, 'fetch' | 'uploads'>) {
  const sandbox = await runSandbox()
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-held-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const done: string[] = []
  const { calls, modules } = startModules({
    folder,
    secrets: memorySecrets(),
    clock: fakeClock(Date.now() / 1000),
    fetch,
    ...deps,
    updates: {
      check: () => Promise.resolve({ version: '2.0.0', notes: '' }),
      download: () => Promise.resolve(),
      place: () => Promise.resolve(),
      restart: () => Promise.resolve(done.push('restart') > 0),
    },
  })
  await modules.store.open()
  const { baseUrl, apiToken } = sandbox
  const credential = { kind: 'api-token', token: apiToken } as const
  const { id: account } = await calls['accounts.connect']({ baseUrl, credential, staySignedIn: false })
  await calls['updates.check']({})
  await calls['updates.download']({})
  const restart = async () => (await calls['updates.restart']({})).state
  return { account, calls, modules, done, restart }
}

it('an update waits until an ordered machine is known, whichever account ordered it', async () => {
  const order: { refuse?: (reason: Error) => void } = {}
  const gated: typeof fetch = (input, init) =>
    init?.method === 'POST' && new Request(input).url.includes('/virtual-machines')
      ? new Promise((_, reject) => (order.refuse = reject))
      : fetch(input, init)
  const { account, calls, done, restart } = await open({ fetch: gated })
  const machine = {
    name: 'box',
    flavor_id: 'f',
    image_id: 'i',
    ssh_key: { name: 'ada', public_key: publicKey },
  }
  const creating = calls['machine.create']({
    account,
    request: randomUUID(),
    again: [],
    identityFile: null,
    machine,
  })
  await expect.poll(() => order.refuse, { timeout: 20_000 }).toBeDefined()
  expect(await restart()).toMatchObject({ kind: 'ready', heldBy: 'creation' })
  expect(done).toEqual([])
  // A request that was never sent certainly failed.
  order.refuse?.(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  await expect(creating).rejects.toMatchObject({ failure: { kind: 'cannot-connect' } })
  await restart()
  expect(done).toEqual(['restart'])
})

it('an update waits for transfers in progress, and no longer', async () => {
  const { account, calls, modules, done, restart } = await open({ uploads: ['/work.bin'] })
  const machines = () => modules.fleet.snapshot(account)?.machines ?? []
  await expect.poll(() => machines().length, { timeout: 20_000 }).toBeGreaterThan(0)
  const place = { account, machine: machines()[0]?.id ?? '' }
  await calls['ssh.setConsents']({ ...place, answers: { files: true } })
  const upload = await calls['files.upload']({ ...place, folder: '/home', from: 'files' })
  expect(upload?.state.kind).toBe('waiting')
  expect(await restart()).toMatchObject({ kind: 'ready', heldBy: 'transfers' })
  expect(done).toEqual([])
  await calls['files.cancel']({ transfer: upload?.id ?? '' })
  await restart()
  expect(done).toEqual(['restart'])
})
