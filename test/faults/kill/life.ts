import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createModules } from '../../../src/main/app/modules'
import { systemClock } from '../../../src/main/core/clock'
import { isPending } from '../../../src/main/creation/index'
import { openSettings } from '../../../src/main/store/settings'
import type { SecretStore } from '../../../src/main/store/keychain'
import { plainHost } from '../../fixtures/plain-host'
import { orderFor } from '../../fixtures/creation-order'
import { type Message, Orders } from './messages'

/** Replaces the system's keychain, whose process outlives ours. */
function fileSecrets(folder: string): SecretStore {
  const path = join(folder, 'secrets.json')
  const read = (): Readonly<Record<string, string>> => {
    try {
      return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(path, 'utf8')))
    } catch {
      return {}
    }
  }
  const write = (secrets: Readonly<Record<string, string>>): void => {
    writeFileSync(`${path}.new`, JSON.stringify(secrets))
    renameSync(`${path}.new`, path)
  }
  return {
    getPassword: (_service, entry) => Promise.resolve(read()[entry] ?? null),
    setPassword: (_service, entry, secret) => Promise.resolve(write({ ...read(), [entry]: secret })),
    deletePassword: (_service, entry) => {
      const { [entry]: _gone, ...rest } = read()
      write(rest)
      return Promise.resolve(true)
    },
  }
}

const say = (message: Message): void => void process.send?.(message)

/** One life of the application: every module of main over real HTTP and real files, until it is killed. */
async function live({ folder, baseUrl, username, password, life, isLast }: Orders): Promise<void> {
  const settings = openSettings(folder)
  const host = plainHost({ folder, secrets: fileSecrets(folder), clock: systemClock, fetch })
  const { modules, handlers: calls, start } = createModules(host, settings)
  await start()
  const credential = { kind: 'password', username, password } as const
  const [known] = modules.accounts.view().accounts
  const { id: account } =
    known ?? (await calls['accounts.connect']({ baseUrl, credential, staySignedIn: true }))
  await modules.store.open()
  const database = modules.store.database()
  const count = (what: string): number =>
    Number(database?.prepare(`SELECT ${what} AS value FROM statement`).get()?.value ?? 0)
  const { port } = await calls['ssh.defaults']({ account })
  say({
    kind: 'ready',
    found: {
      store: modules.store.state().kind,
      integrity: String(database?.prepare('PRAGMA integrity_check').get()?.integrity_check),
      notes: Object.fromEntries(
        Object.entries(await calls['notes.list']({ account })).map(([id, { text }]) => [id, text]),
      ),
      port,
      creations: modules.creation.list(account),
      statements: count('count(*)'),
    },
  })
  await modules.accounts.resume()
  if (isLast) {
    await modules.ledger.readAll(account)
    await new Promise<void>((resolve) => {
      const look = (): void => (isPending(modules.creation.list(account)) ? undefined : resolve())
      modules.creation.onChange(look)
      look()
    })
    const creations = modules.creation.list(account)
    say({ kind: 'settled', creations, statements: count('count(*)'), sum: count('sum(millionths)') })
    return
  }
  const service = modules.accounts.service(account)
  const [flavors, images] = await Promise.all([service.flavors.list(), service.images.list()])
  const write = async (): Promise<void> => {
    for (let step = 0; ; step += 1) {
      const [resource, text] = [`resource-${String(step % 7)}`, `${String(life)}.${String(step)}`]
      await calls['notes.change']({ account, resource, note: { text, tags: [] } })
      say({ kind: 'noted', resource, text })
      const next = 1_024 + ((life * 100 + step) % 60_000)
      await calls['ssh.configureAccount']({ account, port: next })
      say({ kind: 'set', port: next })
    }
  }
  const create = async (): Promise<void> => {
    for (let step = 0; step < 3; step += 1) {
      const name = `life-${String(life)}-${String(step)}`
      const creation = await calls['machine.create']({
        request: randomUUID(),
        account,
        again: [],
        identityFile: null,
        machine: orderFor(flavors, images, name),
      })
      say({ kind: 'created', creation: creation.id, name })
    }
  }
  const sync = async (): Promise<void> => {
    for (;;) await modules.ledger.readAll(account)
  }
  await Promise.all([write(), create(), sync()])
}

process.once('message', (message) => {
  live(Orders.parse(message)).catch((error: unknown) => {
    say({
      kind: 'failed',
      reason: error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : String(error),
    })
  })
})
