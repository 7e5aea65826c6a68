import { readFile } from 'node:fs/promises'
import ssh2 from 'ssh2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { setUpScript } from '#shared/set-up-script'
import { openSshKeyPair } from './openssh-key'
import { startTestSandbox, type TestSandbox } from './sandbox.fixture'
import { flavors, images } from './cloud/catalog'

const State = z.object({
  machines: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: z.string(),
      address: z.string(),
      username: z.string(),
    }),
  ),
})

interface Reached {
  readonly output: string
  readonly hostKey: string
}

const run = (
  place: {
    readonly host: string
    readonly port: number
    readonly username: string
    readonly privateKey: string
  },
  command: string,
): Promise<Reached> =>
  new Promise((resolve, reject) => {
    const client = new ssh2.Client()
    let hostKey = ''
    client.on('error', reject)
    client.on('close', () => reject(new Error('the connection was closed')))
    client.on('ready', () => {
      client.exec(command, (error, channel) => {
        if (error) {
          reject(error)
          return
        }
        const chunks: string[] = []
        channel.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
        channel.on('close', () => {
          resolve({ output: chunks.join('').trim(), hostKey })
          client.end()
        })
      })
    })
    client.connect({
      ...place,
      hostVerifier: (key: Buffer) => {
        hostKey = key.toString('base64')
        return true
      },
    })
  })

describe('the machines of a sandbox over SSH', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox({ machines: 102 })
  })
  afterAll(() => sandbox.close())

  const machines = async () => State.parse((await sandbox.control('GET', '/state')).data).machines
  const running = async () => (await machines()).filter((machine) => machine.status === 'running')
  const reach = async (
    machine: { address: string; username: string },
    privateKey?: string,
    command = 'hostname',
  ) =>
    run(
      {
        host: machine.address,
        port: sandbox.sshPort,
        username: machine.username,
        privateKey: privateKey ?? (await readFile(sandbox.identityFile, 'utf8')),
      },
      command,
    )

  it('accept the identity file, each with its own host key', async () => {
    const [first, second] = await running()
    if (first === undefined || second === undefined) throw new Error('no machines')
    const [one, other] = [await reach(first), await reach(second)]
    expect([one.output, other.output]).toEqual([first.name, second.name])
    const distinct = first.address === second.address ? 1 : 2
    expect(new Set([one.hostKey, other.hostKey]).size).toBe(distinct)
  })

  it('are distinguished by user name if they share an address', async () => {
    const shared = (await running()).filter((machine) => machine.address === '127.0.0.1')
    expect(shared.length).toBeGreaterThan(0)
    for (const machine of shared) expect((await reach(machine)).output).toBe(machine.name)
  })

  it('accept only the key of their creation, once they have booted', async () => {
    const own = openSshKeyPair(Buffer.alloc(32, 9), 'me')
    const flavor = flavors.find((one) => one.inStock)
    const image = images.find((one) => one.region === flavor?.region)
    const created = await sandbox.ask('POST', '/virtual-machines', {
      name: 'mine',
      image_id: image?.id,
      flavor_id: flavor?.id,
      ssh_key: { name: 'me', public_key: own.publicKey },
    })
    expect(created.code).toBe(200)
    const mine = (await machines()).find((machine) => machine.name === 'mine')
    if (mine === undefined) throw new Error('not created')
    await expect(reach(mine, own.privateKey)).rejects.toThrow()
    await sandbox.control('POST', '/clock', { advance: 91 })
    expect((await machines()).find(({ name }) => name === 'mine')?.status).toBe('running')
    await expect(reach(mine, own.privateKey)).rejects.toThrow()
    await sandbox.control('POST', '/clock', { advance: 25 })
    expect((await reach(mine, own.privateKey)).output).toBe('mine')
    expect((await reach(mine, own.privateKey, 'cloud-init status')).output).toBe('status: running')
    await sandbox.control('POST', '/clock', { advance: 20 })
    expect((await reach(mine, own.privateKey, 'cloud-init status')).output).toBe('status: done')
    await expect(reach(mine)).rejects.toThrow('authentication')
  })

  it('have the set-up that a test sets, with the exit status of cloud-init, and a log', async () => {
    const [machine] = await running()
    if (machine === undefined) throw new Error('no machine')
    const set = (setUp: unknown) =>
      sandbox.control('PUT', `/machines/${machine.id}/set-up`, { setUp }).then(({ code }) => code)
    const status = async (command: string) =>
      (await reach(machine, undefined, `${command}; echo "exit $?"`)).output
    const log = 'Get:1 noble\nE: Unable to locate package nvtop\n'
    for (const [state, short, extended, code] of [
      ['not started', 'not started', 'not started', 0],
      ['running', 'running', 'running', 0],
      ['degraded', 'done', 'degraded done', 2],
      ['error', 'error', 'error - done', 1],
      ['done', 'done', 'done', 0],
    ] as const) {
      expect(await set({ state, log })).toBe(200)
      expect(await status('cloud-init status')).toBe(`status: ${short}\nexit ${String(code)}`)
      expect(await status('cloud-init status --long')).toContain(`\nextended_status: ${extended}\n`)
      const answer = (await reach(machine, undefined, setUpScript(false))).output
      expect(answer).toMatch(new RegExp(`^status: ${short}\n[\\s\\S]*\n\nexit ${String(code)}\n`))
      expect(answer.includes('\nlog 46\nGet:1 noble\nE: Unable')).toBe(code !== 0)
      expect((await reach(machine, undefined, setUpScript(true))).output).toContain('\nlog 46\n')
    }
    expect(await set({ state: 'dreaming', log })).toBe(400)
    expect(await set(null)).toBe(200)
    expect(await status('cloud-init status')).toBe('status: done\nexit 0')
  })

  it('are unreachable once they are stopped or deleted', async () => {
    const [stopped, gone] = await running()
    if (stopped === undefined || gone === undefined) throw new Error('no machines')
    await sandbox.control('PUT', `/machines/${stopped.id}/status`, { status: 'stopped' })
    await sandbox.control('DELETE', `/resources/${gone.id}`)
    await expect(reach(stopped)).rejects.toThrow()
    await expect(reach(gone)).rejects.toThrow()
  })
})
