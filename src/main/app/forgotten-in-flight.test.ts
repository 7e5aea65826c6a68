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

it('keeps nothing of an account that was forgotten before the answers came', async () => {
  const sandbox = await runSandbox()
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-forgotten-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  let gate = Promise.resolve()
  const gated: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    await gate
    return answer
  }
  const clock = fakeClock(Date.now() / 1000)
  const { calls, modules, quit } = startModules({ folder, secrets: memorySecrets(), clock, fetch: gated })
  await modules.store.open()
  const { baseUrl, apiToken } = sandbox
  const credential = { kind: 'api-token', token: apiToken } as const
  const { id: account } = await calls['accounts.connect']({ baseUrl, credential, staySignedIn: true })
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

  let open = (): void => undefined
  gate = new Promise((resolve) => (open = resolve))
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
  open()
  await Promise.allSettled(begun)
  clock.advance(5)
  // The form saves what was typed a moment later.
  await calls['creation.keepDraft']({ account, kind: 'machine', draft })

  const database = must(modules.store.file())
  const table = documentTable(database)
  expect(table.names().filter((name) => JSON.stringify(table.read(name)).includes(account))).toEqual([])
  expect(database.prepare('SELECT id FROM resource WHERE account = ?').all(account)).toEqual([])
  await quit()
  expect(plainText(folder)).not.toContain(account)
})
