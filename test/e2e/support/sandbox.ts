import { type HabitName, startOddService } from '../../fixtures/odd-service/index'
import type { RunningSandbox } from '../../../src/sandbox/sandbox'

export interface Sandbox extends RunningSandbox {
  /** Without its unusual habits. */
  readonly plainUrl: string
}

export interface SandboxOptions {
  readonly seed?: number
  readonly machines?: number
  /** False: nothing beyond the specification. */
  readonly extensions?: boolean
  /** Its unusual habits, which the specification does not forbid. */
  readonly habits?: readonly HabitName[]
}

/**
 * The service, over real HTTP and SSH. It runs in the tests' process: loading it takes forty times as long as
 * starting it (cli.test.ts tests `npm run sandbox`).
 */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const { seed = 7, machines = 12, extensions = true, habits = [] } = options
  // Only workers need it, not the collection of tests.
  const service = await import('../../../src/sandbox/sandbox')
  const sandbox = await service.startSandbox({ port: 0, speed: 1, seed, machines, extensions })
  const odd = habits.length === 0 ? undefined : await startOddService(sandbox.baseUrl, habits)
  return {
    ...sandbox,
    baseUrl: odd?.baseUrl ?? sandbox.baseUrl,
    plainUrl: sandbox.baseUrl,
    async close() {
      await odd?.close()
      await sandbox.close()
    },
  }
}
