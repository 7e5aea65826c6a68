import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../../test/fixtures/flaky-settings'
import { noAskpass, noKeys, noTerminals } from '../../../../test/fixtures/no-terminals'
import { account, machine } from '../../../../test/fixtures/ssh-harness'
import { sshMachinesOf } from '../../../../test/fixtures/ssh-machines'
import { freePort, makeKey, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { createCommands } from '../../commands/index'
import { createFiles } from '../../files/index'
import { createTelemetry } from '../../gpu/telemetry/index'
import { createTunnels } from '../../tunnels/index'
import { openSettings } from '../../store/settings'
import { sshWithTerminals } from '../../../../test/fixtures/ssh-with-terminals'
import { openConsents } from './consents'

const startedAt = 1_790_000_000
const never = () => () => undefined
const unexpected = (): never => expect.fail('not expected')

/** Everything that connects to machines, with a clock of the test's own. All machines have the same address. */
async function application(port: number, ids: readonly string[] = ['m1']) {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 })
  makeKey(join(home, '.ssh', 'id_ed25519'))
  makeKey(join(home, '.ssh', 'id_rsa'), 'rsa')
  const clock = fakeClock(startedAt + 86_400)
  const settings = openSettings(join(folder, 'settings'))
  const { user } = { user: process.env['USER'] ?? 'root' }
  const machineOf = (_account: string, id: string) =>
    ids.includes(id) ? machine({ id, name: id, address: '127.0.0.1', username: user, startedAt }) : undefined
  const ssh = sshWithTerminals({
    folder: join(folder, 'data'),
    home,
    platform: process.platform,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    terminals: noTerminals,
    askpass: noAskpass,
    keys: noKeys,
    terminal: () => null,
    settings,
    machine: machineOf,
    defaults: () => ({ port }),
    chooseFile: () => Promise.resolve(null),
  })
  const followed = {
    accounts: { onChange: never },
    machine: machineOf,
    onMachines: never,
    onGone: never,
    clock: { ...clock, monotonic: clock.now },
    report: (action: string, error: unknown): never => expect.fail(`${action}: ${String(error)}`),
  }
  const consents = openConsents(settings)
  const sshMachines = sshMachinesOf({ ...followed, ssh, consents })
  const shared = { ...followed, sshMachines, consents, documents: flakySettings() }
  const telemetry = createTelemetry({
    ...shared,
    store: { database: () => undefined, state: () => ({ kind: 'opening' }) },
    machines: () => ids.flatMap((id) => machineOf(account, id) ?? []),
    connected: () => undefined,
  })
  const files = createFiles({
    ...shared,
    chooseTarget: unexpected,
    chooseFolder: unexpected,
    chooseUploads: unexpected,
    takeDropped: unexpected,
    showInFolder: unexpected,
    outerLinks: unexpected,
    platform: process.platform,
  })
  const tunnels = createTunnels({
    ...shared,
    fleet: { onChange: never },
    details: [],
    openLocalPage: unexpected,
  })
  const commands = createCommands(shared)
  onTestFinished(async () => {
    telemetry.close()
    tunnels.close()
    const closed = Promise.all([files.close(), commands.close()])
    clock.advance(3)
    await closed
    sshMachines.close()
    await ssh.close()
    await settings.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const link = (id: string) => telemetry.view(account, id).link
  /** Resolves once no attempt is under way. */
  const calm = () =>
    expect.poll(() => ids.some((id) => link(id).kind === 'connecting'), { timeout: 60_000 }).toBe(false)
  return {
    home,
    ssh,
    link,
    telemetry,
    /** Opens all tabs of all machines, and lets five minutes pass. */
    async useEverything(): Promise<void> {
      await consents.answer(account, null, { gpu: true, services: true, files: true })
      await calm()
      for (const id of ids) {
        const where = { account, machine: id }
        await files.handlers['files.look']({ ...where, looking: true })
        await tunnels.handlers['tunnel.look']({ ...where, looking: true })
      }
      await calm()
      await Promise.all(ids.slice(0, 1).map((id) => commands.once(account, id, 'true')))
      for (let seconds = 0; seconds < 300; seconds += 1) {
        clock.advance(1)
        await calm()
      }
    },
  }
}

/** Connections in the log of an sshd. */
const connectionsIn = (log: string): number => log.match(/^Connection from /gm)?.length ?? 0

async function sshd(admits: string | null) {
  const folder = temporaryFolder()
  const server = await startSshd({
    hostKeys: [makeKey(join(folder, 'host'))],
    admits: admits ?? makeKey(join(folder, 'other')),
    command: 'none',
  })
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return server
}

/** Counts connections and closes each at once, as a port forward to a machine without an SSH server does. */
async function closedPort() {
  let attempts = 0
  const server: Server = createServer((socket) => {
    attempts += 1
    socket.resetAndDestroy()
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port, attempts: () => attempts }
}

describeWith(
  ['sshd', 'ssh'],
  'connections that a machine sees in five minutes, with everything in use',
  () => {
    it('are at most two if it refuses the keys, and the user’s own ssh is not locked out', async () => {
      const server = await sshd(null)
      const { useEverything, link } = await application(server.port)
      await useEverything()
      expect(link('m1')).toMatchObject({ kind: 'stopped', stop: { kind: 'key-refused' } })
      expect(connectionsIn(server.log())).toBeLessThanOrEqual(2)
    })

    it('are at most two if it accepts a key, and one of them stays', async () => {
      const folder = temporaryFolder()
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const port = await freePort()
      const { useEverything, link, home } = await application(port)
      const server = await startSshd({
        hostKeys: [makeKey(join(folder, 'host'))],
        admits: join(home, '.ssh', 'id_ed25519'),
        command: 'none',
        port,
      })
      onTestFinished(() => server.close())
      await useEverything()
      expect(link('m1').kind).toBe('connected')
      expect(connectionsIn(server.log())).toBeLessThanOrEqual(2)
      expect(server.log().match(/^Accepted publickey/gm)).toHaveLength(1)
    })

    it('are at most twelve if nothing answers yet', async () => {
      const server = await closedPort()
      const { useEverything } = await application(server.port)
      await useEverything()
      expect(server.attempts()).toBeGreaterThan(2)
      expect(server.attempts()).toBeLessThanOrEqual(12)
    })

    it('are at most two at a jump host that refuses, with twenty machines behind it', async () => {
      const jump = await sshd(null)
      const ids = Array.from({ length: 20 }, (_, at) => `m${at}`)
      const { useEverything, ssh, link } = await application(await freePort(), ids)
      await ssh.handlers['ssh.configureAccount']({ account, jumpHost: `127.0.0.1:${String(jump.port)}` })
      await useEverything()
      expect(new Set(ids.map((id) => link(id).kind))).toEqual(new Set(['stopped']))
      expect(connectionsIn(jump.log())).toBeLessThanOrEqual(2)
    })
  },
)
