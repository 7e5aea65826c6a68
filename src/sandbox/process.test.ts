import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SandboxOptions } from './options'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const options: SandboxOptions = { port: 0, seed: 7, machines: 2, speed: 1, secret: 'cd'.repeat(32) }
const Ready = z.strictObject({
  ready: z.strictObject({
    baseUrl: z.string(),
    username: z.string(),
    password: z.string(),
    apiToken: z.string(),
    sshPort: z.number(),
    identityFile: z.string(),
    controlKey: z.string(),
  }),
})

describe('the sandbox in a separate process', () => {
  let folder = ''
  let child: ChildProcess
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-test-'))
    child = fork(here('process.ts'), {
      // Since Electron 37.
      execArgv: ['--unhandled-rejections=warn', '--import', 'tsx', '--import', here('process.fixture.ts')],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
  })
  afterEach(async () => {
    child.kill()
    await rm(folder, { recursive: true })
  })

  it('starts with the options in one message, reports its addresses, and stops on request', async () => {
    child.send({ ...options, dataFile: join(folder, 'world.json'), identityFile: join(folder, 'id') })
    const [message] = await once(child, 'message')
    const { ready } = Ready.parse(message)
    expect((await fetch(`${ready.baseUrl}/openapi.json`)).status).toBe(200)
    child.send({ close: true })
    expect(await once(child, 'exit')).toEqual([0, null])
    await expect(fetch(ready.baseUrl)).rejects.toThrow('fetch failed')
  })

  it('ends with a report after an unhandled rejection', async () => {
    let report = ''
    child.stderr?.on('data', (text) => (report += String(text)))
    child.send({ ...options, identityFile: join(folder, 'id') })
    await once(child, 'message')
    child.send('reject')
    expect(await once(child, 'close')).toEqual([1, null])
    expect(report).toContain('wheelhouse sandbox: Error: nobody waits for this')
  })

  it('reports why it does not start', async () => {
    child.send({ ...options, machines: 20_000 })
    const [message] = await once(child, 'message')
    expect(z.object({ failed: z.string() }).parse(message).failed).toContain('machines')
  })
})
