import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestSandbox } from './sandbox.fixture'

const Id = z.looseObject({ id: z.string() })
const Saved = z.looseObject({
  machines: z.array(Id),
  bareMetal: z.array(Id),
  volumes: z.array(Id),
  usage: z.array(Id),
  apiTokens: z.array(Id),
})
const readState = async (file: string) => Saved.parse(JSON.parse(await readFile(file, 'utf8')))

describe('a data file written by commit 1aa2dd5', () => {
  let folder = ''
  let dataFile = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-test-'))
    dataFile = join(folder, 'data.json')
    await copyFile(new URL('fixtures/data-file-1aa2dd5.json', import.meta.url), dataFile)
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('opens, and is saved with every record in it', async () => {
    const before = await readState(dataFile)
    const sandbox = await startTestSandbox({ dataFile, secret: 'ab'.repeat(32) })
    const [running] = before.machines
    expect(await sandbox.ask('GET', `/virtual-machines/${running?.id}/firewall-rules`)).toMatchObject({
      code: 200,
      total: 4,
    })
    expect(await sandbox.ask('GET', '/api-tokens')).toMatchObject({ total: 2 })
    const { data: balance } = await sandbox.ask('GET', '/billing/balance')
    expect(balance).toMatchObject({ available: { USD: expect.any(Number) } })
    await sandbox.close()
    const after = await readState(dataFile)
    const withoutTransitions = ({ machines, bareMetal, volumes, usage, apiTokens }: typeof before) => ({
      machines: machines.map(({ status: _, transition: _at, startedTime: _started, ...rest }) => rest),
      bareMetal,
      volumes: volumes.map(({ status: _, transition: _at, ...rest }) => rest),
      usage,
      apiTokens: apiTokens.map(({ lastUsed: _, ...rest }) => rest),
    })
    expect(withoutTransitions(after)).toEqual(withoutTransitions(before))
  })
})
