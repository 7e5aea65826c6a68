import { z } from 'zod'
import type { GpuProcess, GpuReading, GpuReport, Measured } from '#shared/bridge/gpu'
import type { CommandResult } from '../../ssh/client/transport'
import { withDistinctIds } from './distinct-ids'
import { sections } from './sections'
import { complaintOf, shortened } from './tool-complaint'

const tool = 'env LC_ALL=C amd-smi'

/** Command that reads AMD GPUs: their values, then names, limits and driver. `withProcesses`: also their processes. */
export const amdQuery = (withProcesses: boolean): string =>
  [
    `${tool} metric --usage --power --clock --temperature --mem-usage --json || exit`,
    `echo '== static'; ${tool} static --asic --limit --driver --json 2>/dev/null`,
    ...(withProcesses ? [`echo '== processes'; ${tool} process --json 2>/dev/null`] : []),
  ].join('; ')

/** One GPU. Every part is `N/A` if the card does not report it. */
const Part = z.record(z.string(), z.unknown()).catch({})
const Gpu = z.looseObject({ gpu: z.number().int().min(0).max(999) })
type Gpu = z.infer<typeof Gpu>
/** An array until ROCm 6.4; an object since ROCm 7.0. */
const Gpus = z.union([
  z.array(z.unknown()),
  z.object({ gpu_data: z.array(z.unknown()) }).transform(({ gpu_data }) => gpu_data),
])

const maxGpus = 64
const maxProcesses = 256

/** Number of brackets after the JSON that are tried as its end, for example the bracket of `[WARN]`. */
const maxBracketsBehind = 40

/** Parses the JSON in a text, which may have warnings around it. */
function jsonIn(text: string): unknown {
  const start = text.search(/[[{]\s*["{\]}]/)
  let end = text.length
  for (let attempt = 0; attempt < maxBracketsBehind && start >= 0; attempt += 1) {
    end = Math.max(text.lastIndexOf(']', end - 1), text.lastIndexOf('}', end - 1))
    if (end < start) return undefined
    try {
      return JSON.parse(text.slice(start, end + 1))
    } catch {
      // This bracket belongs to a warning.
    }
  }
  return undefined
}

function gpusIn(text: string): readonly Gpu[] | undefined {
  const parsed = Gpus.safeParse(jsonIn(text))
  if (!parsed.success) return undefined
  return parsed.data.slice(0, maxGpus).flatMap((gpu) => {
    const one = Gpu.safeParse(gpu)
    return one.success ? [one.data] : []
  })
}

const part = (from: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => Part.parse(value)[key], from)

/** Value with its unit since ROCm 6.1. A bare number has the usual unit; a text may have one behind it. */
const Value = z.union([
  z.number(),
  z.object({ value: z.union([z.number(), z.string()]), unit: z.string() }),
  z.string(),
])

/** Parses a value. `units`: factor of each accepted unit. */
function measuredIn(value: unknown, units: Readonly<Record<string, number>>, to: number): Measured {
  const parsed = Value.safeParse(value)
  if (value === undefined || value === null || !parsed.success) return 'not-available'
  const text =
    typeof parsed.data === 'object' ? `${parsed.data.value} ${parsed.data.unit}` : String(parsed.data).trim()
  if (/^n\/a/i.test(text)) return 'not-available'
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?) ?([A-Za-z%°]*)$/.exec(text) ?? []
  const factor = unit === '' ? 1 : units[unit]
  const result = Number(digits) * (factor ?? NaN)
  return result >= 0 && result <= to ? result : 'not-understood'
}

const percent = (value: unknown): Measured => measuredIn(value, { '%': 1 }, 100)
/** amd-smi prints MB and means MiB (amdsmi_commands.py divides by 1024²). */
const mebibytes = (value: unknown): Measured =>
  measuredIn(value, { MB: 1, MiB: 1, GB: 1_024, GiB: 1_024, KB: 1 / 1_024, B: 1 / 1_048_576 }, 1e8)
const watts = (value: unknown): Measured => measuredIn(value, { W: 1, uW: 1e-6 }, 100_000)
const megahertz = (value: unknown): Measured => measuredIn(value, { MHz: 1 }, 100_000)
const celsius = (value: unknown): Measured => measuredIn(value, { C: 1, '°C': 1 }, 250)

const firstKnown = (...values: readonly Measured[]): Measured =>
  values.find((value) => typeof value === 'number') ?? values[0] ?? 'not-available'

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && !/^(?:n\/a|none|unknown|)$/i.test(value.trim()) ? value.trim() : undefined

function gpuOf(metric: Gpu, fixed: Gpu | undefined): GpuReading {
  const power = firstKnown(
    watts(part(metric, 'power', 'socket_power')),
    watts(part(metric, 'power', 'current_socket_power')),
    watts(part(metric, 'power', 'average_socket_power')),
  )
  const powerLimit = firstKnown(
    watts(part(fixed, 'limit', 'ppt0', 'socket_power_limit')),
    watts(part(fixed, 'limit', 'socket_power')),
    watts(part(fixed, 'limit', 'max_power')),
  )
  const serial = textIn(part(fixed, 'asic', 'asic_serial'))
  return {
    id: shortened(serial ?? `gpu-${metric.gpu}`, 80),
    index: metric.gpu,
    name: shortened(textIn(part(fixed, 'asic', 'market_name')) ?? 'AMD', 80),
    utilization: firstKnown(
      percent(part(metric, 'usage', 'gfx_activity')),
      percent(part(metric, 'usage', 'gfx_usage')),
    ),
    samples: null,
    activity: null,
    memoryUsed: mebibytes(part(metric, 'mem_usage', 'used_vram')),
    memoryTotal: mebibytes(part(metric, 'mem_usage', 'total_vram')),
    temperature: firstKnown(
      celsius(part(metric, 'temperature', 'edge')),
      celsius(part(metric, 'temperature', 'hotspot')),
    ),
    power,
    powerLimit,
    clock: megahertz(part(metric, 'clock', 'gfx_0', 'clk')),
    clockMax: megahertz(part(metric, 'clock', 'gfx_0', 'max_clk')),
    memoryClock: megahertz(part(metric, 'clock', 'mem_0', 'clk')),
    throttle: 'not-available',
    eccCorrected: 'not-available',
    eccUncorrected: 'not-available',
    mig: false,
    instances: [],
  }
}

/** Returns the processes of one GPU; `process_info` is a text if there are none. */
function processesIn(gpu: Gpu, id: string): readonly GpuProcess[] {
  const list = gpu['process_list']
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown): readonly GpuProcess[] => {
    const info = part(entry, 'process_info') ?? entry
    const pid = part(info, 'pid')
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return []
    const memory = firstKnown(
      mebibytes(part(info, 'mem_usage')),
      mebibytes(part(info, 'memory_usage', 'vram_mem')),
    )
    return [
      {
        gpu: id,
        pid,
        name: shortened(textIn(part(info, 'name')) ?? '', 200),
        memory,
        share: null,
        user: null,
        command: null,
        seconds: null,
        start: null,
      },
    ]
  })
}

/** Parses the output of `amdQuery`. Pure, never throws. */
export function amdReport(result: CommandResult): GpuReport {
  const { first, others } = sections(result.stdout)
  const metrics = gpusIn(first)
  const fixed = gpusIn(others.get('static') ?? '') ?? []
  if (!metrics || metrics.length === 0) {
    const complaint = complaintOf(result)
    if (complaint) return complaint
    return metrics ? { kind: 'no-gpus' } : { kind: 'not-understood', said: shortened(first || result.stderr) }
  }
  const fixedOf = (index: number): Gpu | undefined => fixed.find(({ gpu }) => gpu === index)
  const gpus = withDistinctIds(metrics.map((metric) => gpuOf(metric, fixedOf(metric.gpu))))
  const driver =
    textIn(part(fixed[0], 'driver', 'version')) ?? textIn(part(fixed[0], 'driver', 'driver_version'))
  const processes = gpusIn(others.get('processes') ?? '')
  return {
    kind: 'gpus',
    tool: 'amd-smi',
    driver: driver === undefined ? null : shortened(driver, 20),
    gpus: [...gpus].toSorted((a, b) => a.index - b.index),
    processes:
      processes
        ?.flatMap((gpu) => processesIn(gpu, gpus.find(({ index }) => index === gpu.gpu)?.id ?? ''))
        .slice(0, maxProcesses) ?? null,
    isDetailed: others.has('processes'),
    said: null,
  }
}
