import type { GpuProcess, GpuReading, GpuReport } from '#shared/bridge/gpu'
import { gpusWithHiddenHolders, heldMemory, highestUtilization } from '#shared/gpu-load'
import { createEstimates, type Estimates } from './activity'
import { amdQuery, amdReport } from './amd-smi'
import { detailsQuery, gpuQuery, unknownField } from './gpu-columns'
import { unansweredReport } from '../../ssh/client/commands'
import type { ExecOutcome } from '../../ssh/client/transport'
import { gpuReport, withDetails } from './nvidia-smi'
import {
  isDriverService,
  openDevices,
  openDevicesCommand,
  programsCommand,
  programsOf,
  programsWithoutPs,
} from './programs'
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
async function runTool(
  exec: Exec,
  tool: 'nvidia-smi' | 'amd-smi' | 'rocm-smi',
  command: string,
): Promise<ExecOutcome> {
  const outcome = await exec(command)
  if (outcome.kind !== 'finished' || outcome.status !== cannotRun) return outcome
  const found = await exec(findTool(tool))
  return found.kind === 'finished' && found.status === 1 ? { ...outcome, status: notFound } : outcome
}

/** Adds the output of start-up files to a report that was not understood. */
const withLogin = (report: GpuReport, { loginOutput }: { readonly loginOutput?: string }): GpuReport =>
  report.kind === 'not-understood' && loginOutput !== undefined ? { ...report, loginOutput } : report

type GpusReport = Extract<GpuReport, { kind: 'gpus' }>

/** When to read activity and processes too: if any GPU is at work or holds memory, always, or never. */
export type Details = 'if-used' | 'always' | 'never'

/** Whether a GPU worked in the last seconds, or a program holds its memory. */
export const isUsed = (gpu: GpuReading): boolean =>
  (highestUtilization(gpu) ?? 0) > 0 || (heldMemory(gpu) ?? 0) > 0

/** Adds user, command line and running time to processes. */
async function withPrograms(exec: Exec, processes: readonly GpuProcess[]): Promise<readonly GpuProcess[]> {
  const pids = [...new Set(processes.map(({ pid }) => pid))]
  if (pids.length === 0) return processes
  const read = async (script: string) => {
    const result = await exec(script)
    return programsOf(result.kind === 'finished' ? result.stdout : '')
  }
  const byPs = await read(programsCommand(pids))
  const programs = byPs.size > 0 ? byPs : await read(programsWithoutPs(pids))
  return processes.map((process) => ({ ...process, ...programs.get(process.pid) }))
}

/**
 * Finds the processes of GPUs by their open devices: a driver does not list the processes of some containers. A process that
 * computes on one GPU may have all of them open, so `listed` processes are left out.
 */
async function unlistedProcesses(
  exec: Exec,
  gpus: readonly GpuReading[],
  listed: readonly GpuProcess[],
): Promise<readonly GpuProcess[]> {
  const held = gpusWithHiddenHolders(gpus, listed)
  if (held.length === 0) return []
  const result = await exec(openDevicesCommand)
  const open = openDevices(result.kind === 'finished' ? result.stdout : '')
  // A container with some of the GPUs has the host's numbers of their devices, but indexes of its own.
  const isNumbered = open.every(({ index }) => gpus.some((gpu) => gpu.index === index))
  const found = open.flatMap(({ pid, index }) => {
    const gpu = isNumbered ? held.find((one) => one.index === index)?.id : ''
    return gpu !== undefined && !listed.some((process) => process.pid === pid) ? [{ gpu, pid }] : []
  })
  const processes = found.map(({ gpu, pid }): GpuProcess => ({
    gpu,
    pid,
    name: '',
    memory: 'not-available',
    share: null,
    user: null,
    command: null,
    seconds: null,
    start: null,
  }))
  const withCommands = await withPrograms(exec, processes)
  return withCommands.filter(({ command }) => !isDriverService(command ?? ''))
}

/** Adds an estimate to GPUs without a measured activity. */
const withEstimates = (gpus: readonly GpuReading[], estimates: Estimates): readonly GpuReading[] =>
  gpus.map((gpu) => ({ ...gpu, activity: gpu.activity ?? estimates.of(gpu) }))

/** Adds their power without work to GPUs that only hold memory. */
const withIdlePower = (gpus: readonly GpuReading[], estimates: Estimates): readonly GpuReading[] =>
  gpus.map((gpu) => {
    const isHeld = highestUtilization(gpu) === 0 && (heldMemory(gpu) ?? 0) > 0
    const idlePower = isHeld ? estimates.idlePower(gpu.id) : undefined
    return idlePower === undefined ? gpu : { ...gpu, idlePower }
  })

/**
 * Readings without counters of activity from which the GPUs have none, as before Hopper: asking takes two seconds. A single
 * reading may fail on GPUs with counters, which must not get an estimate instead.
 */
const maxCounterFailures = 2

/** Creates a reader of NVIDIA GPUs, which learns the fields and the counters that the machine lacks. */
function nvidiaReader(exec: Exec, commandSeconds: number, estimates: Estimates) {
  const unknown = new Set<string>()
  /** Readings of details; all without counters while `hasCounters` is false. */
  let readings = 0
  let hasCounters = false
  const mayHaveCounters = (): boolean => hasCounters || readings < maxCounterFailures

  /** Queries with fewer and older fields until the driver knows all of them. */
  async function query(): Promise<ExecOutcome> {
    for (;;) {
      const result = await runTool(exec, 'nvidia-smi', gpuQuery(unknown))
      if (result.kind !== 'finished') return result
      const rejected = unknownField(`${result.stdout}\n${result.stderr}`)
      if (rejected === undefined || unknown.has(rejected)) return result
      unknown.add(rejected)
    }
  }

  async function addDetails(report: GpusReport): Promise<GpusReport> {
    const instances = report.gpus.some(({ mig }) => mig)
    const result = await exec(detailsQuery({ activity: mayHaveCounters(), instances }))
    // An attempt counts: repeating it at once would not help.
    if (result.kind !== 'finished') return { ...report, isDetailed: true }
    const detailed = withDetails(report, result.stdout)
    hasCounters ||= detailed.gpus.some(({ activity }) => activity?.kind === 'measured')
    readings += 1
    const listed = await withPrograms(exec, detailed.processes ?? [])
    const hidden = await unlistedProcesses(exec, detailed.gpus, listed)
    const isKnown = detailed.processes !== null || hidden.length > 0
    const gpus = mayHaveCounters() ? detailed.gpus : withEstimates(detailed.gpus, estimates)
    return {
      ...detailed,
      gpus: [...gpus],
      processes: isKnown ? [...listed, ...hidden] : null,
    }
  }

  return async (details: Details): Promise<GpuReport> => {
    const result = await query()
    if (result.kind !== 'finished') return unansweredReport(result, commandSeconds)
    const found = withLogin(gpuReport(result), result)
    if (found.kind !== 'gpus') return found
    estimates.learn(found.gpus)
    const report = { ...found, gpus: [...withIdlePower(found.gpus, estimates)] }
    if (details === 'never') return report
    return details === 'always' || report.gpus.some(isUsed) ? addDetails(report) : report
  }
}

/** Creates a reader of AMD GPUs. It uses amd-smi, or rocm-smi, which ROCm 7 deprecates, if amd-smi finds none. */
function amdReader(exec: Exec, commandSeconds: number, estimates: Estimates) {
  let isRocm = false

  async function amdSmi(withProcesses: boolean): Promise<GpuReport> {
    const result = await runTool(exec, 'amd-smi', amdQuery(withProcesses))
    if (result.kind !== 'finished') return unansweredReport(result, commandSeconds)
    const report = withLogin(amdReport(result), result)
    if (report.kind !== 'gpus' || !report.processes) return report
    return { ...report, processes: [...(await withPrograms(exec, report.processes))] }
  }

  async function rocmSmi(): Promise<GpuReport> {
    const result = await runTool(exec, 'rocm-smi', rocmQuery)
    if (result.kind !== 'finished') return unansweredReport(result, commandSeconds)
    return withLogin(rocmReport(result), result)
  }

  async function read(details: Details): Promise<GpuReport> {
    if (isRocm) return rocmSmi()
    const report = await amdSmi(details === 'always')
    if (report.kind === 'gpus' && details === 'if-used' && report.gpus.some(isUsed)) return amdSmi(true)
    if (report.kind === 'gpus' || report.kind === 'no-answer' || report.kind === 'slow-login') return report
    const byRocm = await rocmSmi()
    isRocm = byRocm.kind === 'gpus'
    return byRocm.kind === 'no-tool' ? report : byRocm
  }

  return async (details: Details): Promise<GpuReport> => {
    const report = await read(details)
    if (report.kind !== 'gpus') return report
    estimates.learn(report.gpus)
    return { ...report, gpus: [...withIdlePower(withEstimates(report.gpus, estimates), estimates)] }
  }
}

/**
 * Creates a reader for the machine behind `exec`. It uses nvidia-smi, or the tools of AMD if nvidia-smi is missing or finds
 * no GPU. `commandSeconds`: time limit of a command, for the report. `estimates`: outlive the connection.
 */
export function gpuReader(exec: Exec, commandSeconds: number, estimates = createEstimates()) {
  const nvidia = nvidiaReader(exec, commandSeconds, estimates)
  const amd = amdReader(exec, commandSeconds, estimates)
  let isAmd = false
  /** Whether nvidia-smi is the tool to use: it found GPUs or a problem, or AMD's tools found no GPU either. */
  let isNvidia = false

  /** Reports a missing tool with the folders that were searched. */
  async function noTool(): Promise<GpuReport> {
    const result = await exec('echo "$PATH"')
    const path = result.kind === 'finished' ? shortened(result.stdout, 1_000) : ''
    return { kind: 'no-tool', ...(path !== '' && { path }) }
  }

  return async (details: Details): Promise<GpuReport> => {
    if (isAmd) return amd(details)
    const report = await nvidia(details)
    if (report.kind === 'not-begun' || report.kind === 'slow-login') return report
    // Images may bring NVIDIA's drivers to a machine with AMD GPUs.
    const isLeftOver = report.kind === 'no-driver' || report.kind === 'no-gpus'
    isNvidia ||= report.kind !== 'no-tool' && !isLeftOver
    if (isNvidia) return report
    const amdReport = await amd(details)
    if (amdReport.kind === 'no-answer' || amdReport.kind === 'slow-login') return amdReport
    isAmd = amdReport.kind === 'gpus' || (amdReport.kind !== 'no-tool' && !isLeftOver)
    if (isAmd) return amdReport
    isNvidia = isLeftOver
    return report.kind === 'no-tool' ? noTool() : report
  }
}
