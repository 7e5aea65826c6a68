import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { requestsTo, runSandbox } from '../../../test/fixtures/account-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { plainText } from '../../../test/fixtures/private-documents'
import { must } from '../../../test/fixtures/service-client'
import { documentTable } from '../store/document-table'

const draft = {
  ...({
    request: randomUUID(),
    name: 'box',
    region: null,
    flavor: null,
    boot: 'image',
    image: null,
  } as const),
  ...({ volume: '', key: 'pasted', keyFile: null, pastedKey: '', initScript: '' } as const),
}

/** The application with an account, and a latch that holds back answers while it is closed. */
async function open(isHeld: (url: string) => boolean) {
  const sandbox = await runSandbox()
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-forgotten-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  let latch = Promise.resolve()
  const held: string[] = []
  const gated: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString()
    const answer = await fetch(input, init)
    if (isHeld(url)) {
      held.push(url)
      await latch
    }
    return answer
  }
  const clock = fakeClock(Date.now() / 1000)
  const { calls, modules, quit } = startModules({ folder, secrets: memorySecrets(), clock, fetch: gated })
  await modules.store.open()
  const { baseUrl, apiToken } = sandbox
  const credential = { kind: 'api-token', token: apiToken } as const
  const { id: account } = await calls['accounts.connect']({ baseUrl, credential, staySignedIn: true })
  /** Closes the latch. Returns a function that opens it. */
  const shut = (): (() => void) => {
    held.length = 0
    let release = (): void => undefined
    latch = new Promise((resolve) => (release = resolve))
    return release
  }
  async function expectNothingLeft(): Promise<void> {
    const database = must(modules.store.file())
    const table = documentTable(database)
    expect(table.names().filter((name) => JSON.stringify(table.read(name)).includes(account))).toEqual([])
    expect(database.prepare('SELECT id FROM resource WHERE account = ?').all(account)).toEqual([])
    await quit()
    expect(plainText(folder)).not.toContain(account)
  }
  return { sandbox, clock, calls, modules, account, shut, held, expectNothingLeft }
}

it('nothing is kept of an account that was forgotten before the answers arrived', async () => {
  const { sandbox, clock, calls, account, shut, expectNothingLeft } = await open(() => true)
  const metal = async () => {
    clock.advance(2)
    return (await calls['bareMetal.snapshot']({ account })).instances
  }
  await expect.poll(metal, { timeout: 20_000 }).not.toEqual([])
  const instance = must((await metal())[0]).id
  const { volumes } = await calls['volumes.snapshot']({ account })
  const { machines } = await calls['fleet.snapshot']({ account })
  const volume = must(volumes.find(({ displayName }) => displayName === 'forgotten-backup'))
  const machine = must(machines.find(({ status }) => status === 'running')).id

  const release = shut()
  const begun = [
    () => calls['volumes.delete']({ account, volume: volume.id, name: 'forgotten-backup' }),
    () => calls['machine.power']({ account, machine, action: 'stop' }),
    () => calls['bareMetal.add']({ account, instance }),
    () => calls['volumes.refresh']({ account }),
    () => calls['fleet.refresh']({ account }),
  ].map(async (call) => {
    await call()
  })
  await expect
    .poll(async () => (await requestsTo(sandbox)).join('\n'))
    .toMatch(new RegExp(`DELETE /volumes/${volume.id}`))
  await calls['accounts.forget']({ account })
  release()
  await Promise.allSettled(begun)
  clock.advance(5)
  // The form saves its draft with a delay.
  await calls['creation.keepDraft']({ account, kind: 'machine', draft })

  await expectNothingLeft()
})

it('nothing is shown or kept of an account that was signed out during the last pages of its lists', async () => {
  const { calls, modules, account, shut, held, expectNothingLeft } = await open((url) =>
    /[?&]offset=[1-9]|balance/.test(url),
  )
  const release = shut()
  const begun: Promise<void>[] = []
  await expect
    .poll(() => {
      for (const name of ['fleet.refresh', 'volumes.refresh'] as const)
        begun.push(Promise.resolve(calls[name]({ account })))
      return held.join('\n')
    })
    .toMatch(/\/volumes\?[^]*\/virtual-machines\?|\/virtual-machines\?[^]*\/volumes\?/)
  await calls['accounts.forget']({ account })
  const shown: unknown[] = []
  modules.fleet.onChange(({ upserts }) => shown.push(...upserts))
  modules.volumes.onChange(({ upserts }) => shown.push(...upserts))
  modules.bareMetal.onChange(({ upserts }) => shown.push(...upserts))
  modules.balances.onChange(({ balance }) => balance && shown.push(balance))
  release()
  await Promise.allSettled(begun)
  expect(shown).toEqual([])
  await expectNothingLeft()
})
