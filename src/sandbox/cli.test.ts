import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const Access = z.strictObject({
  baseUrl: z.string().endsWith('/api/v1'),
  username: z.string().min(1),
  password: z.string().min(1),
  apiToken: z.string().min(1),
  sshPort: z.number().positive(),
  identityFile: z.string().min(1),
  controlKey: z.string().min(1),
})

describe('the sandbox from a shell', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-test-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const run = (...options: string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [
      '--import',
      'tsx',
      fileURLToPath(new URL('cli.ts', import.meta.url)),
      ...options,
    ])
  const firstLine = async (child: ChildProcessWithoutNullStreams): Promise<z.infer<typeof Access>> => {
    for await (const line of createInterface(child.stdout)) return Access.parse(JSON.parse(line))
    throw new Error('the sandbox said nothing')
  }

  it('prints in its first line how to reach it, and keeps cloud and secret over a SIGTERM', async () => {
    const data = join(folder, 'world.json')
    const runOnce = async () => {
      const child = run('--port', '0', '--seed', '7', '--machines', '3', '--speed', '1', '--data', data)
      const access = await firstLine(child)
      expect((await fetch(`${access.baseUrl}/openapi.json`)).status).toBe(200)
      expect((await stat(access.identityFile)).mode & 0o777).toBe(0o600)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
      return access
    }
    const first = await runOnce()
    expect((await stat(`${data}.secret`)).mode & 0o777).toBe(0o600)
    const cloud = z.object({ machines: z.array(z.unknown()) }).parse(JSON.parse(await readFile(data, 'utf8')))
    expect(cloud.machines).toHaveLength(3)
    expect(await runOnce()).toMatchObject({ password: first.password, apiToken: first.apiToken })
  })
})
