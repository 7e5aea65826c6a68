import type { GpuReport } from '#shared/bridge/gpu'
import { type Columns, gpuColumns, gpuQuery, processColumns, processQuery, unknownField } from './gpu-columns'
import { unansweredReport } from '../../ssh/client/commands'
import type { ExecOutcome } from '../../ssh/client/transport'
import { gpuReport, processesOf } from './nvidia-smi'
import { shortened } from './tool-complaint'
import { rocmQuery, rocmReport } from './rocm-smi'

/** Runs one command on the machine. Rejects where the connection is lost. */
export type Exec = (command: string) => Promise<ExecOutcome>

/** Script that exits with 1 if no folder of the PATH has the tool, as far as the user may look into the folders. */
const findTool = (tool: string): string =>
  `set -f; IFS=:; for folder in $PATH; do [ -e "$folder/${tool}" ] && exit 0; done; exit 1`

/** `env` exits with 126 if the tool may not be run, and if a folder of the PATH is closed to the user and none has the tool. */
const cannotRun = 126
const notFound = 127

/** Runs a tool. Its exit status is 127 if no folder of the PATH has it. */
async function runTool(exec: Exec, tool: 'nvidia-smi' | 'rocm-smi', command: string): Promise<ExecOutcome> {
  const outcome = await exec(command)
  if (outcome.kind !== 'finished' || outcome.status !== cannotRun) return outcome
  const found = await exec(findTool(tool))
  return found.kind === 'finished' && found.status === 1 ? { ...outcome, status: notFound } : outcome
}

/** Asks with fewer and older fields until the driver knows all of them. */
async function query(
  exec: Exec,
  command: (unknown: ReadonlySet<string>) => string,
  columns: Columns,
  unknown: Set<string>,
): Promise<ExecOutcome> {
  for (;;) {
    const result = await runTool(exec, 'nvidia-smi', command(unknown))
    if (result.kind !== 'finished') return result
    const refused = unknownField(`${result.stdout}\n${result.stderr}`, columns)
    if (refused === undefined || unknown.has(refused)) return result
    unknown.add(refused)
  }
}

/** Adds the output of start-up files to a report that was not understood. */
const withLogin = (report: GpuReport, { loginOutput }: { readonly loginOutput?: string }): GpuReport =>
  report.kind === 'not-understood' && loginOutput !== undefined ? { ...report, loginOutput } : report

/**
 * Reads the GPUs of the machine behind `exec`: with nvidia-smi, or with rocm-smi where that is not installed or
 * finds none. `hung`: seconds that a command had. The machine is asked for its processes where `withProcesses`.
 */
export function gpuReader(exec: Exec, hung: number) {
  /** Fields that the driver does not know. */
  const unknown = new Set<string>()
  /** The machine is known to answer with rocm-smi. */
  let isAmd = false
  /** nvidia-smi is the tool to ask: it has found GPUs or trouble with them, or rocm-smi has found none either. */
  let isNvidia = false

  async function nvidia(withProcesses: boolean): Promise<GpuReport> {
    const result = await query(exec, gpuQuery, gpuColumns, unknown)
    if (result.kind !== 'finished') return unansweredReport(result, hung)
    const report = withLogin(gpuReport(result), result)
    if (report.kind !== 'gpus' || !withProcesses) return report
    const processes = await query(exec, processQuery, processColumns, unknown)
    return processes.kind === 'finished' ? { ...report, processes: processesOf(processes) } : report
  }

  async function amd(): Promise<GpuReport> {
    const result = await runTool(exec, 'rocm-smi', rocmQuery)
    if (result.kind !== 'finished') return unansweredReport(result, hung)
    return withLogin(rocmReport(result), result)
  }

  /** Names the folders in which the machine has no tool. */
  async function noTool(): Promise<GpuReport> {
    const result = await exec('echo "$PATH"')
    const path = result.kind === 'finished' ? shortened(result.stdout, 1_000) : ''
    return { kind: 'no-tool', ...(path !== '' && { path }) }
  }

  return async (withProcesses: boolean): Promise<GpuReport> => {
    if (isAmd) return amd()
    const report = await nvidia(withProcesses)
    if (report.kind === 'not-begun' || report.kind === 'slow-login') return report
    // Drivers of NVIDIA that an image brings along may lie on a machine with GPUs of AMD.
    const isLeftOver = report.kind === 'no-driver' || report.kind === 'no-gpus'
    isNvidia ||= report.kind !== 'no-tool' && !isLeftOver
    if (isNvidia) return report
    const other = await amd()
    if (other.kind === 'no-answer' || other.kind === 'slow-login') return other
    isAmd = other.kind === 'gpus' || (other.kind !== 'no-tool' && !isLeftOver)
    if (isAmd) return other
    isNvidia = isLeftOver
    return report.kind === 'no-tool' ? noTool() : report
  }
}
