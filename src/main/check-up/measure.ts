import type { CheckUpStep } from '#shared/bridge/check-up'
import type { MonotonicClock } from '../core/clock'
import { ChannelError, type ExecOutcome, type SshConnection } from '../ssh/client/transport'
import { runOver } from '../commands/machine-run'
import { sections } from '../gpu/tools/sections'
import { recentXids } from '../gpu/health/health-facts'
import { amdFieldsOf, type Facts, factsOf, heatOf, writeSpeed } from './facts'
import { removeTestFile, scripts } from './scripts'

export interface MeasureDeps {
  readonly connection: SshConnection
  readonly clock: Pick<MonotonicClock, 'now' | 'monotonic' | 'after'>
  readonly signal: AbortSignal
  step(step: CheckUpStep): void
}

/** Free bytes and free share of the home folder's disk from which the test of the disk writes a file. */
const spare = { bytes: 4 * 1024 ** 3, share: 0.05 } as const
/** Longest time in seconds for the test of the disk, which is then slower than 5 MB per second. */
const maxDiskSeconds = 60
/** Longest time in seconds for the test of the network, which then counts the bytes so far. */
const maxNetworkSeconds = 15

const outputOf = (outcome: ExecOutcome): string =>
  outcome.kind === 'finished' ? `${outcome.stdout}\n${outcome.stderr}` : ''

/** Reads data from the machine and returns the speed in MB per second; null if nothing arrived. */
async function networkSpeed({ connection, clock, signal }: MeasureDeps): Promise<number | null> {
  const ending = new AbortController()
  const cancelTimeout = clock.after(maxNetworkSeconds, () => ending.abort())
  let bytes = 0
  let firstAt: number | null = null
  let lastAt = 0
  const receive = (data: Buffer): void => {
    lastAt = clock.monotonic()
    // The first piece begins the time: it has waited for the login shell.
    if (firstAt === null) firstAt = lastAt
    else bytes += data.length
  }
  const output = { stdout: receive, stderr: () => undefined }
  try {
    await connection.run(scripts.network, output, AbortSignal.any([signal, ending.signal]), 'sh')
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    cancelTimeout()
  }
  const seconds = firstAt === null ? 0 : lastAt - firstAt
  return seconds > 0 && bytes > 0 ? bytes / seconds / 1e6 : null
}

/** Writes the test file, and removes it in any case. It has its own time limit. */
async function diskTest({
  connection,
  clock,
  signal,
}: MeasureDeps): Promise<Pick<Facts, 'diskSpeed' | 'isTooSlow'>> {
  let printed = ''
  const state = await runOver(
    connection,
    {
      clock,
      command: scripts.disk,
      shell: 'sh',
      seconds: maxDiskSeconds,
      limit: 4_096,
      send: ({ text }) => void (printed += text),
    },
    signal,
  )
  if (state.kind === 'exited') return { diskSpeed: writeSpeed(printed), isTooSlow: false }
  // The machine may be gone.
  await connection.exec(removeTestFile).catch(() => undefined)
  signal.throwIfAborted()
  if (state.kind === 'lost') throw new ChannelError('lost', state.kind)
  return { diskSpeed: null, isTooSlow: state.kind === 'timed-out' }
}

/** Measures a machine over its connection, one script after another. Rejects if the connection is lost or `signal` aborts. */
export async function measure(deps: MeasureDeps): Promise<Facts> {
  const { connection, clock, signal, step } = deps
  const exec = async (script: string): Promise<ExecOutcome> => {
    signal.throwIfAborted()
    return connection.exec(script, signal)
  }
  step('reading')
  const system = outputOf(await exec(scripts.system))
  const ours = clock.now()
  const gpus = outputOf(await exec(scripts.gpus))
  const health = outputOf(await exec(scripts.health))
  const { others: before } = sections([system, gpus, health].join('\n'))
  const facts = factsOf(before, ours)
  const amd = facts.gpus.length > 0 ? null : await exec(scripts.amd)
  const amdGpus = amd?.kind === 'finished' ? amdFieldsOf(amd) : []
  const kernelLog = await exec(scripts.kernelLog)

  step('disk')
  const { disk } = facts
  const isTooFull =
    disk === null || disk.freeAtHome < spare.bytes || disk.freeAtHome < disk.total * spare.share
  signal.throwIfAborted()
  const written = isTooFull ? { diskSpeed: null, isTooSlow: false } : await diskTest(deps)

  step('network')
  const speed = await networkSpeed(deps)

  step('comparing')
  const { others: after } = sections(outputOf(await exec(scripts.slowed)))
  return {
    ...facts,
    ...(amdGpus.length > 0 && { gpus: amdGpus }),
    isAmd: amdGpus.length > 0,
    // All of them: the machine may have been rented for days.
    xids: kernelLog.kind === 'finished' ? recentXids(kernelLog.stdout, null) : null,
    heat: heatOf(before, after),
    ...written,
    networkSpeed: speed,
    isTooFull,
  }
}
