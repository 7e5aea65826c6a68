import { setImmediate } from 'node:timers/promises'
import { control } from '../fixtures/sandbox-control'
import { countListeners, type Listeners } from './listeners'

export interface Measurement {
  /** Bytes in use after a full collection, including external ones. */
  readonly heap: number
  /** Sockets, files, timers and other resources that keep the process alive. */
  readonly resources: number
  /** Resources that are connected to another process. */
  readonly sockets: number
  readonly listeners: Listeners
  /** Tasks that wait on the application's clock. */
  readonly planned: number
}

/** Upper bound on the growth of memory between the first day and the last. */
const mostGrowth = 1.05

export async function measured(planned: number): Promise<Measurement> {
  if (!globalThis.gc) throw new Error('needs node --expose-gc')
  for (let round = 0; round < 4; round += 1) {
    await globalThis.gc({ type: 'major', execution: 'async' })
    await setImmediate()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  return {
    heap: heapUsed + arrayBuffers,
    resources: resources.length,
    planned,
    sockets: resources.filter((name) => /TCP|TLS|Pipe/.test(name)).length,
    // Last, as the inspector needs memory too.
    listeners: await countListeners(),
  }
}

/** Upper bound on additional counts at the end: a poll may be running. */
const slack = 3

/** Counts that must not grow, by their names. */
const countsOf = ({ resources, sockets, planned, listeners }: Measurement) => ({
  handles: resources,
  sockets,
  timers: planned,
  'listeners of the application': listeners.own,
  'listeners of Node': listeners.node,
  'listeners for an abort': listeners.abort,
})

/** The memory after the last day divided by the first day's. */
export const growthOf = (measurements: readonly Measurement[]): number =>
  (measurements.at(-1)?.heap ?? 0) / (measurements[0]?.heap ?? 1)

/** Returns leftovers of a run; empty if there are none. */
export function problemsOf(measurements: readonly Measurement[], warnings: readonly string[]): string[] {
  const [first, last] = [measurements[0], measurements.at(-1)]
  if (!first || !last) return ['nothing was measured']
  const growth = growthOf(measurements)
  return [
    ...(growth > mostGrowth ? [`the memory has grown: ${growth.toFixed(4)}`] : []),
    // A count of zero means that the counting no longer fits the storage of listeners.
    ...(last.listeners.own === 0 ? ['no listener of the application is counted'] : []),
    ...Object.entries(countsOf(last)).flatMap(([name, count]) => {
      const more = count - (Object.entries(countsOf(first)).find(([other]) => other === name)?.[1] ?? 0)
      return more > slack ? [`${String(more)} ${name} more`] : []
    }),
    ...warnings,
  ]
}

/** Stops or starts a machine of the fleet, so that there is something to notify. */
export async function changeOf(
  sandbox: Parameters<typeof control>[0],
  machines: readonly { readonly id: string; readonly status: string | null }[],
  at: number,
): Promise<void> {
  const machine = machines[(at * 37) % Math.max(1, machines.length)]
  if (!machine) return
  const status = machine.status === 'running' ? 'stopped' : 'running'
  await control(sandbox, 'PUT', `/machines/${machine.id}/status`, { status })
}
