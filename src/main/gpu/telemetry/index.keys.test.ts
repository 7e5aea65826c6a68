import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GpuReading, GpuView } from '#shared/bridge/gpu'
import { deep } from '../../../../test/fixtures/counts'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { makeKey as makeKeyFile, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { account, telemetryHarness, telemetryServer } from '../../../../test/fixtures/telemetry-harness'
import { outputs } from '../tools/fixtures/outputs'

const gpusOf = ({ report }: GpuView): readonly GpuReading[] => (report?.kind === 'gpus' ? report.gpus : [])

type Harness = ReturnType<typeof telemetryHarness>

/** Creates a machine that has refused the offered key. */
async function refused() {
  const server = await telemetryServer()
  const stranger = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const harness = telemetryHarness(server.port, { privateKey: stranger.private })
  await stopped(harness)
  return { harness, server }
}

/** Consents, accepts the host key if the system's ssh may connect, and returns why the connection stopped. */
async function stopped(harness: Harness) {
  await harness.consent()
  const { link } = await harness.viewWhere(
    ({ link: { kind } }) => kind === 'host-key-unknown' || kind === 'stopped',
  )
  if (link.kind !== 'host-key-unknown') return link
  const { fingerprint } = link
  await harness.telemetry.handlers['gpu.trustHostKey']({ account, machine: 'm1', fingerprint })
  return (await harness.untilLink('stopped')).link
}

describe('a key', () => {
  it('is offered once if it is refused, and not again before the user changes something', async () => {
    const { harness, server } = await refused()
    expect((await harness.untilLink('stopped')).link).toMatchObject({
      stop: { kind: 'key-refused', user: 'ubuntu', keys: [harness.identityFile] },
    })
    const attempts = harness.attempts()
    harness.pass(86_400)
    harness.telemetry.reconcileConnections()
    expect(harness.attempts()).toBe(attempts)
    const stopped = harness.telemetry.view(account, 'm1').link

    // The computer sleeps and wakes, the machine is stopped and started.
    harness.sshMachines.wakeChanged(false)
    harness.sshMachines.wakeChanged(true)
    expect(harness.telemetry.view(account, 'm1').link).toEqual(stopped)
    harness.place('m1', 'ubuntu', 'stopped')
    harness.telemetry.reconcileConnections()
    expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'off', why: 'not-running' })
    harness.place('m1')
    harness.telemetry.reconcileConnections()
    expect(harness.telemetry.view(account, 'm1').link).toEqual(stopped)

    // The application is restarted.
    harness.telemetry.close()
    await harness.settings.flushed()
    const later = telemetryHarness(server.port, {
      folder: harness.folder,
      privateKey: readFileSync(harness.identityFile, 'utf8'),
    })
    later.telemetry.reconcileConnections()
    expect(later.telemetry.view(account, 'm1').link).toEqual(stopped)
    expect(later.attempts()).toBe(0)

    const right = telemetryHarness(server.port)
    await later.ssh.handlers['ssh.configure']({ account, machine: 'm1', identityFile: right.identityFile })
    expect(gpusOf(await later.viewWhere(({ report }) => report !== null))).toHaveLength(2)
  })

  it.each([
    [
      'says so',
      async (harness) => {
        await harness.telemetry.handlers['gpu.retry']({ account, machine: 'm1' })
        harness.sshMachines.wakeChanged(true)
      },
    ],
    [
      'changes how the machine is reached',
      async (harness) => {
        await harness.ssh.handlers['ssh.configure']({ account, machine: 'm1', port: 1 })
        harness.sshMachines.wakeChanged(true)
      },
    ],
    [
      'agrees anew',
      async (harness) => {
        await harness.consent(false)
        await harness.consent()
        harness.sshMachines.wakeChanged(true)
      },
    ],
    [
      'gives the machine another user',
      (harness) => {
        harness.place('m1', 'root')
        harness.sshMachines.wakeChanged(true)
        return Promise.resolve()
      },
    ],
  ] satisfies readonly [string, (harness: Harness) => Promise<void>][])(
    'is offered again after a refusal and a sleep if the user %s',
    async (_what, act) => {
      const { harness } = await refused()
      harness.sshMachines.wakeChanged(false)
      await act(harness)
      expect(harness.telemetry.view(account, 'm1').link).toEqual({ kind: 'connecting' })
    },
  )

  it('with a passphrase does not prompt for it', async () => {
    const server = await telemetryServer()
    const { private: locked } = ssh2.utils.generateKeyPairSync('ed25519', {
      passphrase: 'a secret',
      cipher: 'aes256-ctr',
      rounds: 16,
    })
    const harness = telemetryHarness(server.port, { privateKey: locked })
    expect(await stopped(harness)).toMatchObject({
      stop: { kind: 'key-unusable', why: 'encrypted', path: harness.identityFile },
    })
  })

  it('is named if it is missing or not a key', async () => {
    const server = await telemetryServer()
    const harness = telemetryHarness(server.port, { privateKey: 'not a key' })
    expect(await stopped(harness)).toMatchObject({ stop: { why: 'not-understood' } })
  })

  it('may be an ed25519 key in PKCS #8, which ssh2 cannot read', async () => {
    const pair = generateKeyPairSync('ed25519')
    const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(ssh2.utils.parseKey(pem)).toBeInstanceOf(Error)
    const { x = '' } = pair.publicKey.export({ format: 'jwk' })
    const raw = Buffer.from(x, 'base64url')
    const blob = Buffer.concat([Buffer.from('0000000b7373682d6564323535313900000020', 'hex'), raw])
    const server = await telemetryServer([
      { name: 'm1', publicKey: `ssh-ed25519 ${blob.toString('base64')}` },
    ])
    const harness = telemetryHarness(server.port, { privateKey: pem })
    expect(gpusOf(await harness.read())).toHaveLength(2)
  })
})

describeWith(['sshd'], 'a real sshd', () => {
  /** Reads the GPUs if nvidia-smi prints this output and then continues. */
  async function readAt(printed: string, then = ''): Promise<readonly GpuReading[]> {
    const folder = temporaryFolder()
    const key = makeKeyFile(join(folder, 'id'))
    const hostKey = makeKeyFile(join(folder, 'host'))
    const answer = join(folder, 'answer.csv')
    writeFileSync(answer, printed)
    writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\ncat ${answer}${then}\n`, { mode: 0o755 })
    const set = { SetEnv: `HOME=${folder} PATH=${folder}:/usr/bin:/bin` }
    const sshd = await startSshd({ hostKeys: [hostKey], admits: key, command: 'none', set })
    onTestFinished(() => sshd.close())
    const harness = telemetryHarness(() => sshd.port, { privateKey: readFileSync(key, 'utf8') })
    harness.place('m1', sshd.user)
    return gpusOf(await harness.read())
  }

  it('is read with the output of nvidia-smi', async () => {
    const gpus = await readAt(outputs.gb200)
    expect(gpus).toHaveLength(4)
    expect(gpus[3]).toMatchObject({ name: 'NVIDIA GB200', utilization: 93, power: 1_132.5 })
  })

  it('is read in bounded memory although nvidia-smi prints a gigabyte after its table', async () => {
    const memory = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external
    const before = memory()
    const gpus = await readAt(outputs.gb200, `; head -c ${String(deep(32, 1_024) * 1024 * 1024)} /dev/zero`)
    expect(gpus).toHaveLength(4)
    expect(memory() - before).toBeLessThan(64 * 1024 * 1024)
  })
})
