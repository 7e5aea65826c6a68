import { randomBytes } from 'node:crypto'
import { balanceOf, freshBalance, setBalance, toMicros } from './billing/fees'
import { createLedger } from './billing/ledger'
import { createClock } from './clock'
import { createFaults } from './http/faults'
import { createRequestLog } from './http/request-log'
import { openDataFile } from './data-file'
import { createApplication } from './application'
import { account, createAuthentication } from './http/authentication'
import { listen } from './http/listen'
import { basePath } from './http/service-router'
import { writeIdentityFile } from './ssh-identity-file'
import { createSshMachines } from './ssh-machines'
import type { SandboxOptions } from './options'
import { deriveSecrets } from './secrets'
import { startSshServer } from './ssh/server'
import { seedCloud } from './cloud/seed'
import { createCloud, type Cloud } from './cloud/cloud'

export type { SandboxOptions } from './options'

interface SandboxAccess {
  /** Base URL, which ends in /api/v1. */
  readonly baseUrl: string
  readonly username: string
  readonly password: string
  readonly apiToken: string
  readonly sshPort: number
  readonly identityFile: string
  /** Key of the control API, at /control of the same host and port. */
  readonly controlKey: string
}

export interface RunningSandbox extends SandboxAccess {
  /** Stops both servers and writes unsaved changes. */
  close(): Promise<void>
}

const report = (error: unknown): void => {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
}

/** Collects functions that close the resources opened so far, and runs them in reverse order. */
function createDisposers() {
  const steps: (() => Promise<void>)[] = []
  return {
    add: (step: () => Promise<void>): void => void steps.unshift(step),
    run: async (): Promise<void> => {
      for (const step of steps.splice(0)) await step()
    },
  }
}

/** Starts the HTTP service and the SSH server on loopback. Rejects if a port is in use or the data file is invalid. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const disposers = createDisposers()
  try {
    return await open(options, disposers)
  } catch (error) {
    await disposers.run().catch(report)
    throw error
  }
}

/** Sets the initial credit. `balance`: USD; absent: the stored credit, topped up because billing continues while closed. */
function setStartBalance(cloud: Cloud, balance: number | undefined): void {
  setBalance(
    cloud,
    balance === undefined ? Math.max(freshBalance(cloud), balanceOf(cloud)) : toMicros(balance),
  )
}

async function open(
  options: SandboxOptions,
  disposers: ReturnType<typeof createDisposers>,
): Promise<RunningSandbox> {
  const dedicatedAddresses = process.platform !== 'darwin'
  const wallClock = (): number => Date.now()
  const dataFile = options.dataFile === undefined ? undefined : openDataFile(options.dataFile, report)
  const saved = await dataFile?.load()
  const state = saved ?? seedCloud({ ...options, now: Math.floor(wallClock() / 1000), dedicatedAddresses })
  const clock = createClock(wallClock, state.clockOffset)
  const cloud = createCloud({ state, clock, speed: options.speed, dedicatedAddresses })
  setStartBalance(cloud, options.balance)
  const secrets = deriveSecrets(options.secret ?? randomBytes(32).toString('hex'))

  const identity = await writeIdentityFile(secrets.identity, options.identityFile)
  disposers.add(identity.remove)

  const machines = createSshMachines(cloud, secrets)
  const ssh = await startSshServer({ ...machines, port: options.sshPort ?? 0, now: clock.now })
  disposers.add(ssh.close)
  cloud.onMachinesChange(() => {
    machines.invalidate()
    ssh.refresh().catch(report)
  })

  if (dataFile !== undefined) {
    dataFile.saveFrom(cloud.snapshot)
    cloud.onChange(dataFile.markDirty)
    if (saved === undefined) dataFile.markDirty()
    disposers.add(async () => {
      dataFile.markDirty()
      await dataFile.flush()
    })
  }

  const http = await listen(
    createApplication({
      cloud,
      extensions: options.extensions ?? true,
      clock,
      secrets,
      ledger: createLedger(cloud),
      authentication: createAuthentication(cloud, secrets),
      faults: createFaults(),
      requests: createRequestLog(),
    }),
    options.port,
  )
  disposers.add(http.close)

  const [apiToken = ''] = cloud.apiTokens.keys()
  return {
    baseUrl: `http://127.0.0.1:${http.port}${basePath}`,
    username: account.username,
    password: secrets.password,
    apiToken: secrets.apiToken(apiToken),
    sshPort: ssh.port,
    identityFile: identity.path,
    controlKey: secrets.controlKey,
    close: disposers.run,
  }
}
