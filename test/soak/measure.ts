import { setImmediate } from 'node:timers/promises'
import { control } from '../fixtures/sandbox-control'

export interface Measurement {
  /** Bytes in use after a full collection, with those outside of the heap that belong to it. */
  readonly heap: number
  /** Sockets, files, timers and the like that keep the process alive. */
  readonly resources: number
  /** Tasks that wait on the application's clock. */
  readonly planned: number
}

/** Most that the memory may grow between the first day and the last. */
const mostGrowth = 1.05

export async function measured(planned: number): Promise<Measurement> {
  if (!globalThis.gc) throw new Error('needs node --expose-gc')
  for (let round = 0; round < 4; round += 1) {
    await globalThis.gc({ type: 'major', execution: 'async' })
    await setImmediate()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed + arrayBuffers, resources: process.getActiveResourcesInfo().length, planned }
}

/** Why a run has left something behind; empty: it has not. */
export function problemsOf(measurements: readonly Measurement[], warnings: readonly string[]): string[] {
  const [first, last] = [measurements[0], measurements.at(-1)]
  if (!first || !last) return ['nothing was measured']
  const growth = last.heap / first.heap
  console.log(`heap after the last day against after the first: ${growth.toFixed(4)}`)
  return [
    ...(growth > mostGrowth ? [`the memory has grown: ${growth.toFixed(4)}`] : []),
    // A poll may be under way more or less.
    ...(last.resources > first.resources + 3
      ? [`${String(last.resources - first.resources)} handles more`]
      : []),
    ...(last.planned > first.planned + 3 ? [`${String(last.planned - first.planned)} timers more`] : []),
    ...warnings,
  ]
}

/** A machine of the fleet stops or starts again, so that there is something to notify. */
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
