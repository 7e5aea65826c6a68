import { randomBytes } from 'node:crypto'
import { createClock } from './clock'
import { createBooks } from './books/books'
import { createFaults } from './control/faults'
import { createRequestLog } from './control/request-log'
import { openDataFile } from './data-file'
import { createApplication } from './http/application'
import { createAuthentication, person } from './http/authentication'
import { listen } from './http/listen'
import { writeIdentityFile } from './identity-file'
import type { SandboxOptions } from './options'
import { deriveSecrets } from './secrets'
import { seedWorld } from './world/seed'
import type { WorldState } from './world/state'
import { createWorld } from './world/world'

export type { SandboxOptions } from './options'

/** How to reach a sandbox, and everything needed to be let in. */
export interface SandboxAccess {
  /** Ends in /api/v1. */
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly apiToken: string
  readonly sshPort: number
  readonly identityFile: string
  /** Opens the control surface, which lies at /control of the same host and port. */
  readonly controlKey: string
}

export interface RunningSandbox extends SandboxAccess {
  /** Stops both servers and writes what has changed. */
  close(): Promise<void>
}

const report = (error: unknown): void => {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
}

/** Starts the whole service on loopback. Rejects where a port is taken or the data file cannot be read. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const ownAddresses = process.platform !== 'darwin'
  const wall = (): number => Date.now()
  const dataFile =
    options.dataFile === undefined
      ? undefined
      : openDataFile(options.dataFile, () => world.snapshot(), report)
  const state: WorldState =
    (await dataFile?.load()) ?? seedWorld({ ...options, now: Math.floor(wall() / 1000), ownAddresses })
  const clock = createClock(wall, state.clockOffset)
  const world = createWorld({
    state,
    clock,
    speed: options.speed,
    ownAddresses,
    onChange: () => dataFile?.changed(),
  })
  dataFile?.changed()
  const secrets = deriveSecrets(options.secret ?? randomBytes(32).toString('hex'))
  const identity = await writeIdentityFile(secrets.identity, options.identityFile)
  const http = await listen(
    createApplication({
      world,
      clock,
      secrets,
      books: createBooks(world),
      authentication: createAuthentication(world, secrets),
      faults: createFaults(),
      requests: createRequestLog(),
    }),
    options.port,
  )
  const [apiToken] = world.apiTokens.keys()
  return {
    baseUrl: `http://127.0.0.1:${http.port}/api/v1`,
    username: person.username,
    password: secrets.password,
    apiToken: apiToken === undefined ? '' : secrets.apiToken(apiToken),
    sshPort: 0,
    identityFile: identity.path,
    controlKey: secrets.controlKey,
    close: async () => {
      await http.close()
      await dataFile?.flush()
      await identity.remove()
    },
  }
}
