import type { SshLink } from '#shared/bridge/ssh-link'
import { failureOf } from '#shared/failure'
import { Machine } from '#shared/service/machine'
import { machineView } from '../../../src/main/fleet/machine-view'
import { machineWatch } from '../../../src/main/gpu/telemetry/machine-watch'
import { openConnection } from '../../../src/main/ssh/client/connection'
import { connectionLimits } from '../../../src/main/ssh/client/target'
import { askHostKey, judgeHostKey } from '../../../src/main/ssh/client/host-key-check'
import type { OfferedKey } from '../../../src/main/ssh/client/offered-keys'
import { fakeClock } from '../../fixtures/fake-clock'
import { fakeNetwork } from '../../fixtures/fake-network'
import { sshMachinesOf } from '../../fixtures/ssh-machines'
import type { SshFaultServer } from './fault-server'
import type { SshFault } from './ssh-faults'

export interface SshCell {
  readonly telemetry: string
  readonly connect: string
  /** Problems; empty if there are none. */
  readonly problems: readonly string[]
}

/** Longer than any pause before the next attempt or reading (seconds). */
const longPause = 2_000
/** Seconds for actions that must not time out, however busy the computer is. */
const patience = 60
const mebibyte = 1024 * 1024
const mostMemory = 64 * mebibyte

/** A machine's telemetry over real connections, with the test's own clock. */
function watchOf(server: SshFaultServer, fault: SshFault, keys: readonly OfferedKey[]) {
  const clock = fakeClock()
  const waiting = new Set<() => void>()
  const limits = { ...connectionLimits, ...fault.limits }
  let isOn = false
  let readings = 0
  let attempts = 0
  const machine = {
    ...machineView(Machine.parse({ id: 'm1', name: 'm1', status: 'running' })),
    address: server.host,
  }
  const sshMachines = sshMachinesOf({
    machine: () => machine,
    ssh: {
      reach: () => {
        const target = {
          user: 'ubuntu',
          host: server.host,
          port: server.port(),
          known: [server.hostKey],
          keys,
        }
        return Promise.resolve({ kind: 'reachable', target })
      },
      record: () => Promise.reject(new Error('no key is recorded')),
    },
    keepAliveSeconds: { urgent: limits.keepAlive, calm: limits.keepAlive },
    open: (target, signal) => {
      attempts += 1
      const { ready } = isOn ? limits : connectionLimits
      return openConnection(target, signal, { ...limits, ready })
    },
    clock,
    network: fakeNetwork(),
  })
  const begin = () =>
    machineWatch({
      acquire: (use) =>
        sshMachines.acquire({
          ...use,
          // Each reading in a separate channel, which the server replaces.
          opened: ({ exec }) => use.opened(exec),
          account: 'abcdefghijkl',
          machine: 'm1',
          purpose: 'gpu',
          mayAsk: () => false,
          trustsFirstKey: () => false,
          isUrgent: () => false,
        }),
      changed: () => waiting.forEach((look) => look()),
      idlePower: () => undefined,
      read: () => {
        readings += 1
      },
      clock,
    })
  let begun: ReturnType<typeof machineWatch> | undefined
  const watch = {
    link: (): SshLink => begun?.link() ?? { kind: 'connecting' },
    report: () => begun?.report() ?? null,
    /** Connects for the first time, and later again like a user. */
    connect(): void {
      if (begun) return begun.retry()
      begun = begin()
      begun.focus(true)
    },
    close(): void {
      begun?.close()
      sshMachines.close()
    },
  }
  const until = (test: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!test()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  /** Settles once an attempt or a reading has ended. */
  const ended = (act: () => void): Promise<void> => {
    const before = { readings, attempts, link: watch.link() }
    act()
    return until(() => {
      const { kind } = watch.link()
      return (
        readings > before.readings ||
        (watch.link() !== before.link && !['connecting', 'connected'].includes(kind))
      )
    })
  }
  const turn = (on: boolean): void => {
    isOn = on
    server.set(on ? fault : {})
  }
  return { watch, clock, ended, turn, attempts: () => attempts }
}

async function telemetryAt(server: SshFaultServer, fault: SshFault, keys: readonly OfferedKey[]) {
  const problems: string[] = []
  const { watch, clock, ended, turn, attempts } = watchOf(server, fault, keys)
  turn(false)
  await ended(watch.connect)
  const good = watch.report()
  if (good?.kind !== 'gpus') problems.push('nothing was read before the fault')

  const memory = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
  const before = { memory: memory(), attempts: attempts() }
  turn(true)
  if (!fault.isInSession) {
    await ended(server.drop)
    await ended(() => clock.advance(longPause))
  } else await ended(() => clock.advance(longPause))
  if (memory() - before.memory > mostMemory)
    problems.push(`${String(Math.round((memory() - before.memory) / mebibyte))} MiB of memory`)

  const link = watch.link()
  const isKept = watch.report() === good
  if (link.kind !== 'connected' && !isKept) problems.push('the last readings are gone')
  const [pause = 0] = clock.waits()
  const outcome =
    link.kind === 'waiting'
      ? 'waits, and tries again'
      : link.kind === 'stopped'
        ? `stops: ${link.stop.kind}`
        : link.kind === 'connected'
          ? `reads: ${watch.report()?.kind ?? 'nothing'}`
          : link.kind
  if (link.kind === 'waiting') {
    if (attempts() - before.attempts > 1) problems.push('more than one attempt')
    if (pause < 4) problems.push(`the next attempt after ${String(pause)} s`)
    await ended(() => clock.advance(longPause))
    const [next = 0] = clock.waits()
    const isOpen = watch.link().kind === 'connected'
    if (!isOpen && next <= pause) problems.push('the pauses do not grow')
  }
  if (link.kind === 'stopped') {
    clock.advance(86_400)
    if (server.seen().connections > 1) problems.push('it tried again by itself')
    if (link.stop.kind === 'host-key-changed' && server.seen().keys > 0) problems.push('a key was offered')
  }
  if (watch.report()?.kind === 'no-answer' && pause < 60)
    problems.push('a hanging driver is asked again at once')
  if (JSON.stringify(watch.report()).length > 64_000) problems.push('a report without bounds')
  if (/\\[unrtbf]|\p{C}/u.test(JSON.stringify(watch.report())))
    problems.push('control characters in the report')

  turn(false)
  // Stopped telemetry continues only if the user wants it.
  await ended(() => (watch.link().kind === 'stopped' ? watch.connect() : clock.advance(longPause)))
  if (watch.link().kind !== 'connected') await ended(() => clock.advance(longPause))
  if (watch.link().kind !== 'connected' || watch.report()?.kind !== 'gpus') problems.push('not recovered')
  watch.close()
  return { outcome, problems }
}

/** The check before a terminal opens, as in Connect. */
async function connectAt(server: SshFaultServer, fault: SshFault) {
  const known = [server.hostKey]
  const check = async (seconds: number): Promise<string> => {
    try {
      judgeHostKey('machine', known, await askHostKey(server.host, server.port(), known, seconds), false)
      return 'a terminal'
    } catch (error) {
      return failureOf(error, 'an error that is no failure').kind
    }
  }
  server.set(fault)
  const outcome = await check(
    fault.expected.connect === 'timed-out' ? (fault.limits?.ready ?? patience) : patience,
  )
  const problems: string[] = []
  if (server.seen().keys > 0) problems.push('a key was offered by the check')
  if (server.seen().connections > 1) problems.push('the check connected more than once')
  server.set({})
  if ((await check(patience)) !== 'a terminal') problems.push('the check has not recovered')
  return { outcome, problems }
}

/** Runs telemetry and Connect at one fault, and then without a fault. */
export async function runSshCell(
  server: SshFaultServer,
  fault: SshFault,
  keys: readonly OfferedKey[],
): Promise<SshCell> {
  const telemetry = await telemetryAt(server, fault, keys)
  const connect = await connectAt(server, fault)
  const problems = [...telemetry.problems, ...connect.problems]
  const found = { telemetry: telemetry.outcome, connect: connect.outcome }
  for (const side of ['telemetry', 'connect'] as const)
    if (found[side] !== fault.expected[side])
      problems.push(`${side}: ${found[side]}, expected ${fault.expected[side]}`)
  return { ...found, problems }
}
