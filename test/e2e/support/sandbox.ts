import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type HabitName, startOddService } from '../../fixtures/odd-service/index'
import { root } from './application'

const Access = z.object({
  baseUrl: z.string(),
  username: z.string(),
  password: z.string(),
  apiToken: z.string(),
  sshPort: z.number(),
  identityFile: z.string(),
  controlKey: z.string(),
})
export type Sandbox = z.infer<typeof Access> & {
  /** Without its odd habits. */
  readonly plainUrl: string
  close(): Promise<void>
}

export interface SandboxOptions {
  readonly seed?: number
  readonly machines?: number
  /** False: nothing beyond the specification. */
  readonly extensions?: boolean
  /** What it does because the specification does not forbid it. */
  readonly habits?: readonly HabitName[]
}

/** The service in a process of its own, as `npm run sandbox` starts it. */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const { seed = 7, machines = 12, extensions = true, habits = [] } = options
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/tsx/dist/cli.mjs'),
      join(root, 'src/sandbox/cli.ts'),
      ...['--port', '0', '--seed', String(seed), '--machines', String(machines)],
      ...['--extensions', extensions ? 'on' : 'off'],
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const line = once(createInterface(child.stdout), 'line')
  const first = await Promise.race([line, ended.then(() => undefined)])
  if (!first) throw new Error('the sandbox ended before it was ready')
  const access = Access.parse(JSON.parse(String(first[0])))
  const odd = habits.length === 0 ? undefined : await startOddService(access.baseUrl, habits)
  return {
    ...access,
    baseUrl: odd?.baseUrl ?? access.baseUrl,
    plainUrl: access.baseUrl,
    async close() {
      await odd?.close()
      child.kill('SIGTERM')
      await ended
    },
  }
}
