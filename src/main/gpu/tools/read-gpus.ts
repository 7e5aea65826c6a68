import type { GpuReport } from '#shared/bridge/gpu'
import { type Columns, gpuColumns, gpuQuery, processColumns, processQuery, unknownField } from './gpu-columns'
import { unansweredReport } from '../../ssh/client/commands'
import type { ExecOutcome } from '../../ssh/client/transport'
import { gpuReport, processesOf } from './nvidia-smi'
import { shortened } from './tool-complaint'
import { rocmQuery, rocmReport } from './rocm-smi'

/** Runs one command on the machine. Rejects if the connection is lost. */
export type Exec = (command: string) => Promise<ExecOutcome>

/** Script that exits with 1 if no readable folder of the PATH has the tool. */
const findTool = (tool: string): string =>
  `set -f; IFS=:; for folder in $PATH; do [ -e "$folder/${tool}" ] && exit 0; done; exit 1`

/** Exit status of `env` if the tool may not be run, or if no folder has it and one is closed to the user. */
const cannotRun = 126
const notFound = 127

/** Runs a tool. Its exit status is 127 if no folder of the PATH has it. */
async function runTool(exec: Exec, tool: 'nvidia-smi' | 'rocm-smi', command: string): Promise<ExecOutcome> {
  const outcome = await exec(command)
  if (outcome.kind !== 'finished' || outcome.status !== cannotRun) return outcome
  const found = await exec(findTool(tool))
  return found.kind === 'finished' && found.status === 1 ? { ...outcome, status: notFound } : outcome
}

/** Queries with fewer and older fields until the driver knows all of them. */
async function query(
  exec: Exec,
  command: (unknown: ReadonlySet<string>) => string,
  columns: Columns,
  unknown: Set<string>,
): Promise<ExecOutcome> {
  for (;;) {
    const result = await runTool(exec, 'nvidia-smi', command(unknown))
    if (result.kind !== 'finished') return result
    const rejected = unknownField(`${result.stdout}\n${result.stderr}`, columns)
    if (rejected === undefined || unknown.has(rejected)) return result
    unknown.add(rejected)
  }
}

/** Adds the output of start-up files to a report that was not understood. */
const withLogin = (report: GpuReport, { loginOutput }: { readonly loginOutput?: string }): GpuReport =>
  report.kind === 'not-understood' && loginOutput !== undefined ? { ...report, loginOutput } : report

/**
 * Creates a reader for the machine behind `exec`. It uses nvidia-smi, or rocm-smi if nvidia-smi is missing or finds no
 * GPU. `commandSeconds`: time limit of a command, for the report. The reader lists processes if `withProcesses`.
 */
export function gpuReader(exec: Exec, commandSeconds: number) {
  const unknown = new Set<string>()
  let isAmd = false
  /** Whether nvidia-smi is the tool to use: it found GPUs or a problem, or rocm-smi found no GPU either. */
  let isNvidia = false

  async function nvidia(withProcesses: boolean): Promise<GpuReport> {
    const result = await query(exec, gpuQuery, gpuColumns, unknown)
    if (result.kind !== 'finished') return unansweredReport(result, commandSeconds)
    const report = withLogin(gpuReport(result), result)
    if (report.kind !== 'gpus' || !withProcesses) return report
    const processes = await query(exec, processQuery, processColumns, unknown)
    return processes.kind === 'finished' ? { ...report, processes: processesOf(processes) } : report
  }

  async function amd(): Promise<GpuReport> {
    const result = await runTool(exec, 'rocm-smi', rocmQuery)
    if (result.kind !== 'finished') return unansweredReport(result, commandSeconds)
    return withLogin(rocmReport(result), result)
  }

  /** Reports a missing tool with the folders that were searched. */
  async function noTool(): Promise<GpuReport> {
    const result = await exec('echo "$PATH"')
    const path = result.kind === 'finished' ? shortened(result.stdout, 1_000) : ''
    return { kind: 'no-tool', ...(path !== '' && { path }) }
  }

  return async (withProcesses: boolean): Promise<GpuReport> => {
    if (isAmd) return amd()
    const report = await nvidia(withProcesses)
    if (report.kind === 'not-begun' || report.kind === 'slow-login') return report
    // Images may bring NVIDIA's drivers to a machine with AMD GPUs.
    const isLeftOver = report.kind === 'no-driver' || report.kind === 'no-gpus'
    isNvidia ||= report.kind !== 'no-tool' && !isLeftOver
    if (isNvidia) return report
    const amdReport = await amd()
    if (amdReport.kind === 'no-answer' || amdReport.kind === 'slow-login') return amdReport
    isAmd = amdReport.kind === 'gpus' || (amdReport.kind !== 'no-tool' && !isLeftOver)
    if (isAmd) return amdReport
    isNvidia = isLeftOver
    return report.kind === 'no-tool' ? noTool() : report
  }
}
