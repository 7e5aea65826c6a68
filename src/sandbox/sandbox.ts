import { randomBytes } from 'node:crypto'
import { createBooks } from './billing/ledger'
import { createClock } from './clock'
import { createFaults } from './http/faults'
import { createRequestLog } from './http/request-log'
import { openDataFile } from './data-file'
import { createApplication } from './application'
import { createAuthentication, person } from './http/authentication'
import { basePath } from './http/base-path'
import { listen } from './http/listen'
import { writeIdentityFile } from './ssh-identity-file'
import { createMachineAccess } from './ssh-machines'
import type { SandboxOptions } from './options'
import { deriveSecrets } from './secrets'
import { startSshServer } from './ssh/server'
import { seedWorld } from './cloud/seed'
import { createWorld } from './cloud/cloud'

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

/** What has been opened so far, to be closed in reverse order. */
function createClosing() {
  const steps: (() => Promise<void>)[] = []
  return {
    add: (step: () => Promise<void>): void => void steps.unshift(step),
    all: async (): Promise<void> => {
      for (const step of steps.splice(0)) await step()
    },
  }
}

/** Starts the whole service on loopback. Rejects where a port is taken or the data file cannot be read. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const closing = createClosing()
  try {
    return await open(options, closing)
  } catch (error) {
    await closing.all().catch(report)
    throw error
  }
}

async function open(
  options: SandboxOptions,
  closing: ReturnType<typeof createClosing>,
): Promise<RunningSandbox> {
  const ownAddresses = process.platform !== 'darwin'
  const wall = (): number => Date.now()
  const dataFile = options.dataFile === undefined ? undefined : openDataFile(options.dataFile, report)
  const kept = await dataFile?.load()
  const state = kept ?? seedWorld({ ...options, now: Math.floor(wall() / 1000), ownAddresses })
  const clock = createClock(wall, state.clockOffset)
  const world = createWorld({ state, clock, speed: options.speed, ownAddresses })
  const secrets = deriveSecrets(options.secret ?? randomBytes(32).toString('hex'))

  const identity = await writeIdentityFile(secrets.identity, options.identityFile)
  closing.add(identity.remove)

  const access = createMachineAccess(world, secrets)
  const ssh = await startSshServer({ ...access, port: options.sshPort ?? 0, now: clock.now })
  closing.add(ssh.close)
  world.onMachinesChange(() => {
    access.changed()
    ssh.refresh().catch(report)
  })

  if (dataFile !== undefined) {
    dataFile.keep(world.snapshot)
    world.onChange(dataFile.changed)
    if (kept === undefined) dataFile.changed()
    closing.add(async () => {
      dataFile.changed()
      await dataFile.flush()
    })
  }

  const http = await listen(
    createApplication({
      world,
      extensions: options.extensions ?? true,
      clock,
      secrets,
      books: createBooks(world),
      authentication: createAuthentication(world, secrets),
      faults: createFaults(),
      requests: createRequestLog(),
    }),
    options.port,
  )
  closing.add(http.close)

  const [apiToken = ''] = world.apiTokens.keys()
  return {
    baseUrl: `http://127.0.0.1:${http.port}${basePath}`,
    username: person.username,
    password: secrets.password,
    apiToken: secrets.apiToken(apiToken),
    sshPort: ssh.port,
    identityFile: identity.path,
    controlKey: secrets.controlKey,
    close: closing.all,
  }
}
