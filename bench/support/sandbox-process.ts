import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const Access = z.object({
  baseUrl: z.string(),
  username: z.string(),
  password: z.string(),
  apiToken: z.string(),
  sshPort: z.number(),
  identityFile: z.string(),
  controlKey: z.string(),
})

/** The service in its own process, as started by `npm run sandbox`: its work does not count as ours. */
export async function startSandboxProcess(machines: number) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'src/sandbox/cli.ts', '--port', '0', '--seed', '7', '--machines', String(machines)],
    { cwd: join(import.meta.dirname, '../..'), stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const line = once(createInterface(child.stdout), 'line')
  const first = await Promise.race([line, ended.then(() => undefined)])
  if (!first) throw new Error('the sandbox ended before it was ready')
  return {
    ...Access.parse(JSON.parse(String(first[0]))),
    async close(): Promise<void> {
      child.kill()
      await ended
    },
  }
}
