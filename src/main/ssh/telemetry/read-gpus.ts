import type { GpuReport } from '#shared/bridge/gpu'
import { type Columns, gpuColumns, gpuQuery, processColumns, processQuery, unknownField } from './gpu-columns'
import { type CommandResult, gpuReport, processesOf } from './nvidia-smi'
import { rocmQueries, rocmReport } from './rocm-smi'

/** Runs one command on the machine. Rejects where the connection is lost; `timed-out` where the command hangs. */
export type RunCommand = (command: string) => Promise<CommandResult | 'timed-out'>

/** What one connection has learned of its machine. */
interface Learned {
  /** Fields that the driver does not know. */
  readonly unknown: Set<string>
  /** What answers; undefined before it is known. */
  tool: 'nvidia-smi' | string | undefined
}

/** Asks with fewer and older fields until the driver knows all of them. */
async function query(
  run: RunCommand,
  command: (unknown: ReadonlySet<string>) => string,
  columns: Columns,
  unknown: Set<string>,
): Promise<CommandResult | 'timed-out'> {
  for (;;) {
    const result = await run(command(unknown))
    if (result === 'timed-out') return result
    const refused = unknownField(`${result.stdout}\n${result.stderr}`, columns)
    if (refused === undefined || unknown.has(refused)) return result
    unknown.add(refused)
  }
}

/**
 * Reads the GPUs of the machine behind `run`: with nvidia-smi, or with rocm-smi where that is not installed. `hung`:
 * seconds that a command had. The machine is asked for its processes where `withProcesses`.
 */
export function gpuReader(run: RunCommand, hung: number) {
  const learned: Learned = { unknown: new Set(), tool: undefined }
  const noAnswer: GpuReport = { kind: 'no-answer', seconds: hung }

  async function nvidia(withProcesses: boolean): Promise<GpuReport> {
    const result = await query(run, gpuQuery, gpuColumns, learned.unknown)
    if (result === 'timed-out') return noAnswer
    const report = gpuReport(result)
    if (report.kind !== 'gpus' || !withProcesses) return report
    const processes = await query(run, processQuery, processColumns, learned.unknown)
    return processes === 'timed-out' ? report : { ...report, processes: processesOf(processes) }
  }

  async function amd(command: string): Promise<GpuReport> {
    const result = await run(command)
    return result === 'timed-out' ? noAnswer : rocmReport(result)
  }

  return async (withProcesses: boolean): Promise<GpuReport> => {
    if (learned.tool !== undefined && learned.tool !== 'nvidia-smi') return amd(learned.tool)
    const report = await nvidia(withProcesses)
    if (report.kind !== 'no-tool') {
      learned.tool = 'nvidia-smi'
      return report
    }
    for (const command of rocmQueries) {
      const other = await amd(command)
      if (other.kind === 'no-tool') continue
      learned.tool = command
      return other
    }
    return report
  }
}
