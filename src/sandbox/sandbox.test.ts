import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSshMachines } from './ssh-machines'
import { digest, startTestSandbox } from './sandbox.fixture'
import { deriveSecrets } from './secrets'
import { createClock } from './clock'
import { CloudState } from './cloud/records'
import { createCloud } from './cloud/cloud'
import { volumeTypes } from './cloud/catalog'

const secret = 'ab'.repeat(32)

describe('a sandbox', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-test-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const Machines = z.array(z.looseObject({ id: z.string(), name: z.string() }))
  const stored = async (file: string) => CloudState.parse(JSON.parse(await readFile(file, 'utf8')))

  it('survives a restart: machines, volumes, ledger, tokens, clock and secrets', async () => {
    const dataFile = join(folder, 'deep', 'world.json')
    const first = await startTestSandbox({ dataFile, secret })
    await first.control('POST', '/clock', { advance: 86_400 })
    await first.control('PUT', '/balance', { USD: 500 })
    const type = volumeTypes[0]
    const volume = { display_name: 'kept', region_id: type?.region.id, type_id: type?.id, size: 10 }
    expect((await first.ask('POST', '/volumes', volume)).code).toBe(200)
    const session = await first.signIn()
    const machines = await first.read(Machines, '/virtual-machines')
    await first.close()

    const second = await startTestSandbox({ dataFile, secret, seed: 99, machines: 3 })
    expect(await second.read(Machines, '/virtual-machines')).toEqual(machines)
    expect((await second.ask('GET', '/api-tokens', undefined, session)).code).toBe(200)
    expect(second).toMatchObject({
      password: first.password,
      apiToken: first.apiToken,
      controlKey: first.controlKey,
    })
    const state = z.object({ volumes: z.array(z.object({ display_name: z.string(), status: z.string() })) })
    const { volumes } = state.parse((await second.control('GET', '/state')).data)
    expect(volumes).toContainEqual(expect.objectContaining({ display_name: 'kept' }))
    const clock = z.object({ offset: z.number() }).parse((await second.control('GET', '/clock')).data)
    expect(clock.offset).toBe(86_400)
    await second.close()
  })

  it('stores no secret in its data file', async () => {
    const dataFile = join(folder, 'world.json')
    const sandbox = await startTestSandbox({ dataFile, secret })
    const session = await sandbox.signIn()
    const machines = await sandbox.read(
      z.array(z.object({ login: z.object({ password: z.string() }) })),
      '/virtual-machines',
    )
    await sandbox.close()
    const text = await readFile(dataFile, 'utf8')
    const secrets = [
      sandbox.password,
      digest(sandbox.password),
      sandbox.apiToken,
      sandbox.controlKey,
      secret,
      ...Object.values(session),
      ...machines.map((machine) => machine.login.password),
    ]
    for (const one of secrets) expect(text).not.toContain(one)
    expect(text).not.toContain('PRIVATE KEY')
    expect((await stat(dataFile)).mode & 0o777).toBe(0o600)
  })

  it('has the same host keys after a restart, one per machine with a dedicated address', async () => {
    const dataFile = join(folder, 'world.json')
    await (await startTestSandbox({ dataFile, secret })).close()
    const keys = async () => {
      const state = await stored(dataFile)
      const clock = createClock(() => 0, 0)
      const cloud = createCloud({ state, clock, speed: 1, dedicatedAddresses: true })
      return createSshMachines(cloud, deriveSecrets(secret)).addresses()
    }
    const before = await keys()
    await (await startTestSandbox({ dataFile, secret })).close()
    expect(await keys()).toEqual(before)
    expect(new Set(before.map((place) => place.hostKey)).size).toBe(before.length)
  })

  it('does not change an unreadable data file, and names it', async () => {
    const dataFile = join(folder, 'world.json')
    await writeFile(dataFile, '{"version": 1')
    await expect(startTestSandbox({ dataFile, secret })).rejects.toThrow(`${dataFile} is not JSON`)
    await writeFile(dataFile, '{"version": 2}')
    await expect(startTestSandbox({ dataFile, secret })).rejects.toThrow(dataFile)
    expect(await readFile(dataFile, 'utf8')).toBe('{"version": 2}')
  })

  it('writes the identity file for its owner only, and removes its own temporary file', async () => {
    const identityFile = join(folder, 'keys', 'id')
    const given = await startTestSandbox({ secret, identityFile })
    expect(given.identityFile).toBe(identityFile)
    expect((await stat(identityFile)).mode & 0o777).toBe(0o600)
    await given.close()
    expect((await stat(identityFile)).isFile()).toBe(true)
    const own = await startTestSandbox()
    expect((await stat(own.identityFile)).mode & 0o777).toBe(0o600)
    await own.close()
    await expect(stat(own.identityFile)).rejects.toThrow('ENOENT')
  })

  it('shortens only transitions at a higher speed', async () => {
    const sandbox = await startTestSandbox({ speed: 90 })
    const { headers } = { headers: await sandbox.signIn() }
    await sandbox.control('POST', '/clock', { advance: 1 })
    const statuses = await sandbox.read(z.array(z.object({ status: z.string() })), '/virtual-machines')
    expect(statuses.map(({ status }) => status)).not.toContain('creating')
    await sandbox.control('POST', '/clock', { advance: 29 * 60 })
    expect((await sandbox.ask('GET', '/regions', undefined, headers)).code).toBe(200)
    await sandbox.close()
  })

  it('fails if its port is in use, and leaves nothing open', async () => {
    const first = await startTestSandbox()
    const port = Number(new URL(first.baseUrl).port)
    await expect(startTestSandbox({ port })).rejects.toThrow('EADDRINUSE')
    await first.close()
    const again = await startTestSandbox({ port, sshPort: first.sshPort })
    await again.close()
  })
})
