import type { CheckName, CheckNote, CheckResult } from '#shared/bridge/check-up'
import type { MachineView } from '#shared/bridge/fleet'
import { formatCount } from '#shared/locale'
import type { Facts, GpuFields } from './facts'

/** Speeds of earlier check-ups of other machines with the same flavor, in MB per second. */
export interface Earlier {
  readonly diskSpeed: readonly number[]
  readonly networkSpeed: readonly number[]
}

type Verdict = CheckResult['verdict']

const result = (
  check: CheckName,
  verdict: Verdict,
  found: string | null,
  more: { readonly expected?: string | null; readonly note?: CheckNote } = {},
): CheckResult => ({ check, verdict, found, expected: more.expected ?? null, note: more.note ?? null })

const unknown = (check: CheckName, note: CheckNote = 'not-reported'): CheckResult =>
  result(check, 'unknown', null, { note })

/** Returns the value of a field as a number; null if it is missing or no number, such as `[N/A]`. */
const numberOf = (gpu: GpuFields, field: string): number | null => {
  const text = gpu[field] ?? ''
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
}
const sumOf = (gpus: readonly GpuFields[], field: string): number | null => {
  const values = gpus.flatMap((gpu) => numberOf(gpu, field) ?? [])
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}
const textsOf = (gpus: readonly GpuFields[], field: string): readonly string[] =>
  gpus.flatMap((gpu) => {
    const text = gpu[field] ?? ''
    return text === '' || /^\[?N\/A\]?$/i.test(text) || text.startsWith('[') ? [] : [text]
  })
const unique = (texts: readonly string[]): string => [...new Set(texts)].join(', ')

const gigabytes = (bytes: number): string => `${formatCount(Math.round(bytes / 1e9))} GB`
const speedText = (megabytes: number): string => `${formatCount(Math.round(megabytes))} MB/s`

const modelPattern =
  /(?<![A-Z\d])(?!SXM|HBM|NVL|GDDR|GEN)((?:RTX[ _-]?PRO|RTX|GTX|PRO)[ _-]?\d{3,5}(?:[ _-]?(?:TI[ _-]?SUPER|TI|SUPER|D))?|[A-Z]{1,4}\d{1,5}[A-Z]?)(?![A-Z\d])/i

/** Returns the model in a name: `H100` of "NVIDIA H100 80GB HBM3", `PRO6000` of "RTX PRO 6000" and of "RTXPRO6000". */
const modelIn = (name: string): string | null =>
  modelPattern
    .exec(name)?.[1]
    ?.toUpperCase()
    .replace(/[ _-]/g, '')
    .replace(/^RTXPRO/, 'PRO') ?? null

/** Returns the form factor in a name. The driver does not name SXM since Hopper: "H100 80GB HBM3", "H200", "B200". */
function formIn(name: string, isByDriver: boolean): 'SXM' | 'PCIE' | 'NVL' | null {
  const [, form] = /(?<![A-Z])(SXM|PCIE|NVL)(?:\d(?!\d))?(?![A-Z\d])/i.exec(name) ?? []
  if (form !== undefined)
    return form.toUpperCase() === 'SXM' ? 'SXM' : form.toUpperCase() === 'NVL' ? 'NVL' : 'PCIE'
  return isByDriver && /^NVIDIA (?:H100 80GB HBM3|H[12]00|B[23]00)$/.test(name.trim()) ? 'SXM' : null
}

/** Whether the names of the driver and of the flavor mean the same; null if one of them has no known model. */
function isSameGpu(name: string, wanted: string): boolean | null {
  const [model, wantedModel] = [modelIn(name), modelIn(wanted)]
  if (model === null || wantedModel === null) return null
  const [form, wantedForm] = [formIn(name, true), formIn(wanted, false)]
  return model === wantedModel && (form === null || wantedForm === null || form === wantedForm)
}

function modelCheck(gpus: readonly GpuFields[], wanted: string | null): CheckResult {
  const names = textsOf(gpus, 'name')
  const found = unique(names)
  if (wanted === null) return result('gpu-model', 'good', found)
  const same = names.map((name) => isSameGpu(name, wanted))
  if (same.includes(false))
    return result('gpu-model', 'bad', found, { expected: wanted, note: 'other-model' })
  return same.includes(null) || same.length === 0
    ? result('gpu-model', 'unknown', found, { expected: wanted, note: 'model-unknown' })
    : result('gpu-model', 'good', found, { expected: wanted })
}

function gpuChecks({ gpus, cuda }: Facts, { flavor }: MachineView): readonly CheckResult[] {
  const expected = flavor.gpuCount
  const memory = gpus.flatMap((gpu) => numberOf(gpu, 'memory.total') ?? [])
  const promised = Number(/(\d+)\s?Gi?B?\b/i.exec(flavor.gpu ?? '')?.[1] ?? Number.NaN)
  const smallest = Math.min(...memory)
  // A driver reserves some of the memory.
  const isSmall = smallest * 1_048_576 < promised * 1e9 * 0.9
  const isUneven = smallest < Math.max(...memory) * 0.95
  const driver = unique(textsOf(gpus, 'driver_version'))
  return [
    result('gpu-count', expected !== null && gpus.length < expected ? 'bad' : 'good', String(gpus.length), {
      expected: expected === null ? null : formatCount(expected),
      ...(expected !== null && gpus.length < expected && { note: 'fewer-than-flavor' as const }),
    }),
    modelCheck(gpus, flavor.gpu),
    memory.length === 0
      ? unknown('gpu-memory')
      : result(
          'gpu-memory',
          isSmall || isUneven ? 'bad' : 'good',
          `${formatCount(memory.length)} × ${gigabytes(smallest * 1_048_576)}`,
          {
            expected: Number.isNaN(promised) ? null : `${formatCount(promised)} GB`,
            ...(isSmall && { note: 'smaller-than-flavor' as const }),
            ...(!isSmall && isUneven && { note: 'uneven-memory' as const }),
          },
        ),
    driver === ''
      ? unknown('driver')
      : result('driver', 'good', cuda === null ? driver : `${driver}, CUDA ${cuda}`),
  ]
}

/** Utilization in percent from which a GPU uses the full generation of its PCIe link: idle GPUs lower it. */
const busyPercent = 5

function pcieCheck(gpus: readonly GpuFields[]): CheckResult {
  const links = gpus.flatMap((gpu) => {
    const [gen, maxGen] = [numberOf(gpu, 'pcie.link.gen.current'), numberOf(gpu, 'pcie.link.gen.max')]
    const [width, maxWidth] = [numberOf(gpu, 'pcie.link.width.current'), numberOf(gpu, 'pcie.link.width.max')]
    const gpuMaxGen = numberOf(gpu, 'pcie.link.gen.gpumax') ?? maxGen
    const isBusy = (numberOf(gpu, 'utilization.gpu') ?? 0) >= busyPercent
    if (gen === null || maxGen === null || gpuMaxGen === null || width === null || maxWidth === null)
      return []
    // An older slot limits the link whether the GPU works or not.
    const isSlow = width < maxWidth || maxGen < gpuMaxGen || (isBusy && gen < gpuMaxGen)
    return [{ gen, maxGen: gpuMaxGen, width, maxWidth, isSlow }]
  })
  if (links.length === 0) return unknown('pcie')
  const text = (gen: number, width: number): string => `PCIe ${String(gen)} × ${String(width)}`
  const slow = links.find(({ isSlow }) => isSlow)
  const [first] = links
  const shown = slow ?? first
  const found = shown ? text(shown.gen, shown.width) : null
  const expected = shown ? text(shown.maxGen, shown.maxWidth) : null
  if (slow) return result('pcie', 'bad', found, { expected, note: 'pcie-slow' })
  const isUnjudged = links.some(({ gen, maxGen }) => gen < maxGen)
  return isUnjudged
    ? result('pcie', 'unknown', found, { expected, note: 'pcie-idle' })
    : result('pcie', 'good', found, { expected })
}

function eccCheck(gpus: readonly GpuFields[]): CheckResult {
  const now = sumOf(gpus, 'ecc.errors.uncorrected.volatile.total')
  const ever = sumOf(gpus, 'ecc.errors.uncorrected.aggregate.total')
  if (now === null) return unknown('ecc')
  const found = formatCount(Math.max(now, ever ?? 0))
  if (now > 0) return result('ecc', 'bad', found, { expected: '0', note: 'ecc-now' })
  return (ever ?? 0) > 0
    ? result('ecc', 'warning', found, { expected: '0', note: 'ecc-before' })
    : result('ecc', 'good', found, { expected: '0' })
}

function rowsCheck(gpus: readonly GpuFields[]): CheckResult {
  const pending = textsOf(gpus, 'remapped_rows.pending')
  const failures = textsOf(gpus, 'remapped_rows.failure')
  const count = sumOf(gpus, 'remapped_rows.uncorrectable')
  if (pending.length === 0 || count === null) return unknown('remapped-rows')
  const isYes = (text: string): boolean => text === 'Yes' || text === '1'
  const found = formatCount(count)
  if (failures.some(isYes))
    return result('remapped-rows', 'bad', found, { expected: '0', note: 'remap-failed' })
  if (pending.some(isYes))
    return result('remapped-rows', 'bad', found, { expected: '0', note: 'remap-pending' })
  return count > 0
    ? result('remapped-rows', 'warning', found, { expected: '0', note: 'remapped' })
    : result('remapped-rows', 'good', found, { expected: '0' })
}

function recoveryCheck(gpus: readonly GpuFields[]): CheckResult {
  const actions = textsOf(gpus, 'gpu_recovery_action')
  if (actions.length === 0) return unknown('recovery')
  const needed = actions.filter((action) => action !== 'None')
  return needed.length > 0
    ? result('recovery', 'bad', unique(needed), { expected: 'None', note: 'recovery-needed' })
    : result('recovery', 'good', 'None', { expected: 'None' })
}

function heatCheck({ heat }: Facts): CheckResult {
  if (!heat) return unknown('throttling')
  const seconds = (microseconds: number): string => `${formatCount(Math.ceil(microseconds / 1e6))} s`
  if (heat.during > 0)
    return result('throttling', 'bad', seconds(heat.during), { expected: '0 s', note: 'hot-now' })
  return heat.before > 0
    ? result('throttling', 'warning', seconds(heat.before), { expected: '0 s', note: 'hot-before' })
    : result('throttling', 'good', '0 s', { expected: '0 s' })
}

function linksCheck({ gpus, links }: Facts): CheckResult {
  if (gpus.length < 2) return result('nvlink', 'good', null, { note: 'one-gpu' })
  const active = links.filter(Boolean).length
  // Cards without a bridge report all of their links as inactive.
  if (active === 0) return unknown('nvlink', 'no-links')
  const isWhole = active === links.length
  return result('nvlink', isWhole ? 'good' : 'bad', formatCount(active), {
    expected: formatCount(links.length),
    ...(!isWhole && { note: 'links-inactive' as const }),
  })
}

function kernelCheck({ xids }: Facts): CheckResult {
  if (xids === null) return unknown('kernel-log', 'needs-root')
  return xids.length > 0
    ? result('kernel-log', 'bad', xids.at(-1) ?? null, { note: 'xid' })
    : result('kernel-log', 'good', '0', { expected: '0' })
}

function gpuHealth(facts: Facts): readonly CheckResult[] {
  const { gpus } = facts
  const persistence = textsOf(gpus, 'persistence_mode')
  return [
    pcieCheck(gpus),
    eccCheck(gpus),
    rowsCheck(gpus),
    recoveryCheck(gpus),
    heatCheck(facts),
    linksCheck(facts),
    persistence.length === 0
      ? unknown('persistence')
      : persistence.every((mode) => mode === 'Enabled')
        ? result('persistence', 'good', 'Enabled')
        : result('persistence', 'warning', unique(persistence), { note: 'persistence-off' }),
    kernelCheck(facts),
  ]
}

/** Share of a promise that counts as fulfilled: systems reserve memory, and file systems need space. */
const enough = 0.85
const fullShare = 0.9

function systemChecks({ cores, memoryBytes, disk }: Facts, { flavor }: MachineView): readonly CheckResult[] {
  const compared = (
    check: CheckName,
    found: number | null,
    promised: number | null,
    text: (value: number) => string,
  ) => {
    if (found === null) return unknown(check)
    const isSmall = promised !== null && found < promised * (check === 'cores' ? 1 : enough)
    return result(check, isSmall ? 'bad' : 'good', text(found), {
      expected: promised === null ? null : text(promised),
      ...(isSmall && { note: 'smaller-than-flavor' as const }),
    })
  }
  const bytes = (size: number | null): number | null => (size === null ? null : size * 1e9)
  const space = compared('disk-space', disk?.total ?? null, bytes(flavor.disk), gigabytes)
  const isFull = disk !== null && disk.used >= disk.total * fullShare
  return [
    compared('cores', cores, flavor.cpu, formatCount),
    compared('ram', memoryBytes, bytes(flavor.ram), gigabytes),
    isFull
      ? result('disk-space', 'bad', `${gigabytes(disk.used)} / ${gigabytes(disk.total)}`, {
          note: 'nearly-full',
        })
      : space,
  ]
}

/** Number of earlier machines from which a comparison is fair, and the share of their median that is slow. */
const fewestPeers = 2
const slowShare = 0.6

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

function speedCheck(
  check: 'disk-speed' | 'network',
  speed: number | null,
  earlier: readonly number[],
  note: CheckNote = 'not-reported',
): CheckResult {
  if (speed === null) return unknown(check, note)
  const usual = earlier.length >= fewestPeers ? median(earlier) : null
  const isSlow = usual !== null && speed < usual * slowShare
  return result(check, isSlow ? 'warning' : 'good', speedText(speed), {
    expected: usual === null ? null : speedText(usual),
    ...(isSlow && { note: 'slower-than-others' as const }),
  })
}

/** Difference of the clocks in seconds that is noticeable, and that breaks signatures and certificates. */
const clockSeconds = { warning: 5, bad: 60 } as const

function clockCheck({ clock }: Facts): CheckResult {
  if (!clock) return unknown('clock')
  const difference = Math.round(clock.own - clock.ours)
  const apart = Math.abs(difference)
  const found = `${difference > 0 ? '+' : ''}${formatCount(difference)} s`
  if (apart <= clockSeconds.warning) return result('clock', 'good', found, { expected: '0 s' })
  const verdict = apart > clockSeconds.bad ? 'bad' : 'warning'
  return result('clock', verdict, found, { expected: '0 s', note: 'clock-off' })
}

/** Compares the measured values with the flavor and with earlier machines of that flavor. Pure. */
export function judge(facts: Facts, machine: MachineView, earlier: Earlier): readonly CheckResult[] {
  const { gpu, gpuCount } = machine.flavor
  const missing = /\b(?:AMD|Instinct|Radeon|MI\d{2,3})/i.test(gpu ?? '')
    ? unknown('gpu-count', 'no-amd-smi')
    : result('gpu-count', 'bad', '0', {
        expected: gpuCount === null ? null : formatCount(gpuCount),
        note: 'no-driver',
      })
  const hasGpus = gpuCount === null ? gpu !== null : gpuCount > 0
  const withoutGpus = hasGpus ? [missing] : []
  const gpuHealthOf = facts.isAmd
    ? (['pcie', 'ecc', 'throttling'] as const).map((check) => unknown(check, 'not-nvidia'))
    : gpuHealth(facts)
  const ofGpus = facts.gpus.length > 0 ? [...gpuChecks(facts, machine), ...gpuHealthOf] : withoutGpus
  return [
    ...ofGpus,
    ...systemChecks(facts, machine),
    facts.isTooSlow
      ? result('disk-speed', 'bad', null, { note: 'too-slow-to-test' })
      : speedCheck(
          'disk-speed',
          facts.diskSpeed,
          earlier.diskSpeed,
          facts.isTooFull ? 'too-full-to-test' : 'not-reported',
        ),
    speedCheck('network', facts.networkSpeed, earlier.networkSpeed),
    clockCheck(facts),
  ]
}
