import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { control, runSandbox } from '../../../test/fixtures/account-harness'
import { orderFor } from '../../../test/fixtures/creation-order'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { plainText } from '../../../test/fixtures/private-documents'
import { must } from '../../../test/fixtures/service-client'
import { documentTable } from '../store/document-table'

const script = '#!/bin/bash\nexport HF_TOKEN=hf_canaryscriptabcdef\n'

/** The application with an account at the sandbox, and a function that restarts it. */
async function open() {
  const sandbox = await runSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-init-scripts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const secrets = memorySecrets()
  const clock = fakeClock(Date.now() / 1000)
  const start = async () => {
    const started = startModules({ folder, secrets, clock, fetch })
    await started.modules.store.open()
    return started
  }
  const first = await start()
  const { baseUrl, username, password } = sandbox
  const { id: account } = await first.calls['accounts.connect']({
    baseUrl,
    credential: { kind: 'password', username, password },
    staySignedIn: true,
  })
  const service = first.modules.accounts.service(account)
  const order = orderFor(await service.flavors.list(), await service.images.list(), 'train-1')
  async function create(name: string, initScript?: string): Promise<string> {
    const machine = { ...order, name, ...(initScript !== undefined && { init_script: initScript }) }
    const wish = { account, request: randomUUID(), again: [], identityFile: null, machine }
    const { state } = await first.calls['machine.create'](wish)
    return 'machine' in state ? state.machine : ''
  }
  return { sandbox, folder, clock, start, first, account, create }
}

it('a machine created here has its init script for a template, also after a restart, until it is deleted', async () => {
  const { sandbox, folder, clock, start, first, account, create } = await open()
  const withScript = await create('with-script', script)
  const without = await create('without-script')
  const read = (calls: typeof first.calls, machine: string) =>
    calls['templates.initScript']({ account, machine })
  expect(await read(first.calls, withScript)).toEqual({ text: script, secretLines: [2] })
  expect(await read(first.calls, without)).toEqual({ text: '', secretLines: [] })
  const { machines } = await first.calls['fleet.snapshot']({ account })
  const foreign = must(machines.find(({ id }) => id !== withScript && id !== without)).id
  expect(await read(first.calls, foreign)).toBeNull()
  await first.quit()
  expect(plainText(folder)).not.toContain('canary')

  // Deleted while the application is closed.
  await control(sandbox, 'DELETE', `/resources/${without}`)
  const second = await start()
  expect(await read(second.calls, withScript)).toEqual({ text: script, secretLines: [2] })
  await control(sandbox, 'DELETE', `/resources/${withScript}`)
  await expect
    .poll(
      async () => {
        clock.advance(60)
        await second.calls['fleet.refresh']({ account })
        return [await read(second.calls, withScript), await read(second.calls, without)]
      },
      { timeout: 20_000 },
    )
    .toEqual([null, null])
  const stored = JSON.stringify(documentTable(must(second.modules.store.file())).read('init-scripts'))
  expect(stored).not.toContain('canary')
})

it('the init scripts of an account leave with it', async () => {
  const { first, account, create } = await open()
  const machine = await create('with-script', script)
  const database = must(first.modules.store.file())
  expect(JSON.stringify(documentTable(database).read('init-scripts'))).toContain('canary')
  await first.calls['accounts.forget']({ account })
  expect(await first.calls['templates.initScript']({ account, machine })).toBeNull()
  const table = documentTable(database)
  expect(table.names().filter((name) => JSON.stringify(table.read(name)).includes('canary'))).toEqual([])
})
