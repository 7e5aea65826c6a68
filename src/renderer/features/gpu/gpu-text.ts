import type { GpuProcess, GpuReading, GpuReport, Measured, ThrottleReason } from '#shared/bridge/gpu'
import type { NotBegun, SlowLogin } from '#shared/bridge/command'
import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import { gpusWithHiddenHolders } from '#shared/gpu-load'
import { overBudget, refusedAddress } from '#shared/ssh-wait-reasons'
import { formatCount, numberFormat, type Values } from '#shared/locale'
import { t, tPath } from '../../platform/i18n'
import { duration } from '../../platform/time'

const tenth = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Text of a value. A missing value is a dash with its reason. */
export interface MeasuredText {
  readonly text: string
  readonly why: string | null
}

const measuredText = (value: Measured, text: (value: number) => string): MeasuredText =>
  typeof value === 'number'
    ? { text: text(value), why: null }
    : { text: t('common.none'), why: t(`gpu.absent.${value}`) }

export const percentText = (value: number): string => t('gpu.values.percent', { value: formatCount(value) })
export const celsiusText = (value: number): string => t('gpu.values.celsius', { value: formatCount(value) })
export const wattsText = (value: number): string => t('gpu.values.watts', { value: formatCount(value) })
const gibibytesText = (mebibytes: number): string =>
  t('gpu.values.gibibytes', { value: tenth(mebibytes / 1024) })

export const percent = (value: Measured): MeasuredText => measuredText(value, percentText)
export const celsius = (value: Measured): MeasuredText => measuredText(value, celsiusText)
export const megahertz = (value: Measured): MeasuredText =>
  measuredText(value, (number) => t('gpu.values.megahertz', { value: formatCount(number) }))
export const gibibytes = (value: Measured): MeasuredText => measuredText(value, gibibytesText)

/** Returns text such as "612 / 700 W", without the limit if it is unknown. */
export const power = ({ power: draw, powerLimit }: GpuReading): MeasuredText =>
  measuredText(draw, (value) =>
    typeof powerLimit === 'number'
      ? t('gpu.values.slash', { value: formatCount(value), whole: wattsText(powerLimit) })
      : wattsText(value),
  )

/** Parts whose GPU uses the memory of the system, so that the driver reports none. */
const systemMemory = /\b(?:GB10|Thor|Orin|Xavier)\b/i

type Memory = Pick<GpuReading, 'memoryUsed' | 'memoryTotal'>

/** Returns text such as "74.7 of 79.6 GiB". */
export function memory({ name, memoryUsed, memoryTotal }: Memory & Pick<GpuReading, 'name'>): MeasuredText {
  if (typeof memoryUsed !== 'number' && systemMemory.test(name))
    return { text: t('gpu.values.shared'), why: t('gpu.sharedMemory') }
  return measuredText(memoryUsed, (value) =>
    typeof memoryTotal === 'number'
      ? t('gpu.values.of', { value: tenth(value / 1024), whole: gibibytesText(memoryTotal) })
      : gibibytesText(value),
  )
}

/** Whether a GPU is a share of a larger one. The types of NVIDIA's vGPU end with memory and series: A10-8Q, H100-1-10C. */
export const isVirtual = ({ name }: Pick<GpuReading, 'name'>): boolean => /-\d+[ABCQ]$/.test(name)

/** Difference in percent from which work between the readings is shown. */
const minBurst = 20

/** Returns text about work between the readings; null if there was none. */
export const burstText = ({ utilization, samples }: Pick<GpuReading, 'utilization' | 'samples'>) =>
  samples && typeof utilization === 'number' && samples.max - utilization >= minBurst
    ? t('gpu.bursts', { max: percentText(samples.max), duration: duration(samples.seconds) })
    : null

/** Returns the bars of a GPU's parts; empty if they were not read. An estimate has one bar. */
export function activityBars({ activity }: Pick<GpuReading, 'activity'>) {
  if (activity === null) return []
  const bar = (key: 'sm' | 'tensor' | 'bandwidth' | 'estimate', value: Measured) => ({
    name: t(`gpu.activity.${key}`),
    hint: t(`gpu.activity.hint.${key}`),
    share: typeof value === 'number' ? value / 100 : null,
    value: percent(value),
  })
  if (activity.kind === 'estimated') return [bar('estimate', activity.share)]
  return [bar('sm', activity.sm), bar('tensor', activity.tensor), bar('bandwidth', activity.memory)]
}

/**
 * Explains that no process is listed, or that another one holds memory: nvidia-smi in a container does not list processes
 * outside it. Null: the list needs no explanation.
 */
export function processesNote(gpus: readonly GpuReading[], processes: readonly GpuProcess[]): string | null {
  const hidden = gpusWithHiddenHolders(gpus, processes)
  if (processes.length === 0) return t(`gpu.processes.${hidden.length > 0 ? 'hidden' : 'none'}`)
  const indexes = hidden.map(({ index }) => String(index)).join(t('common.listSeparator'))
  return hidden.length > 0 ? t('gpu.processes.hiddenOn', { gpus: indexes }) : null
}

/** Returns the used share of memory, 0 to 1; null if unknown. */
export const memoryShare = ({ memoryUsed, memoryTotal }: Memory): number | null =>
  typeof memoryUsed === 'number' && typeof memoryTotal === 'number' && memoryTotal > 0
    ? Math.min(1, memoryUsed / memoryTotal)
    : null

/** Reasons that are no throttling: an idle clock, or a clock that the user chose. */
const harmless: readonly ThrottleReason[] = ['idle', 'application-clocks', 'display-clocks']

export const throttleText = ({
  throttle,
}: GpuReading): readonly { readonly reason: ThrottleReason; readonly words: string }[] =>
  typeof throttle === 'string'
    ? []
    : throttle
        .filter((reason) => !harmless.includes(reason))
        .map((reason) => ({ reason, words: t(`gpu.throttle.${reason}`) }))

export const eccText = ({ eccCorrected, eccUncorrected }: GpuReading) => ({
  bad:
    typeof eccUncorrected === 'number' && eccUncorrected > 0
      ? t('gpu.ecc.uncorrected', { count: eccUncorrected }, eccUncorrected)
      : null,
  good:
    typeof eccCorrected === 'number' && eccCorrected > 0
      ? t('gpu.ecc.corrected', { count: eccCorrected }, eccCorrected)
      : null,
})

/** Explanation of why there is nothing to show, and what to do next. */
export interface StateText {
  readonly title: string
  readonly text: string
  readonly next: string | null
  readonly loginOutput?: string
  readonly banner?: string | undefined
}

const words = (path: string, values: Values = {}): StateText => ({
  title: tPath(`${path}.title`, values),
  text: tPath(`${path}.text`, values),
  next: tPath(`${path}.next`, values),
})

const withLogin = (text: StateText, loginOutput: string | undefined): StateText =>
  loginOutput === undefined ? text : { ...text, loginOutput }

export const notBegunText = ({ why, said }: NotBegun): StateText =>
  words(`ssh.notBegun.${said === '' ? 'silent' : why}`, { said })

export const slowLoginText = ({ seconds, loginOutput }: SlowLogin): StateText =>
  withLogin(words('ssh.slowLogin', { seconds }), loginOutput)

function stopText(stop: SshStop): StateText {
  switch (stop.kind) {
    case 'host-key-changed':
    case 'jump-untrusted':
      return words(`gpu.stop.${stop.kind}`, { host: stop.host })
    case 'key-refused':
      return words(stop.isCut ? 'gpu.stop.too-many-keys' : 'gpu.stop.key-refused', {
        host: stop.host,
        user: stop.user,
        keys: stop.keys.join(t('common.listSeparator')),
      })
    case 'key-unusable':
      return words(`gpu.stop.${stop.why}`, { path: stop.path })
    case 'keys-unsupported':
      return words('gpu.stop.keys-unsupported', { types: stop.types.join(t('common.listSeparator')) })
    case 'too-many':
      return words('gpu.stop.too-many', { limit: stop.limit })
    case 'user-refused':
      return words(`gpu.stop.user-refused.${stop.why}`, { user: stop.user })
    case 'no-key':
    case 'no-address':
    case 'no-user':
      return words(`gpu.stop.${stop.kind}`)
  }
}

/** Explains why a machine can't be read; null if it can, or if the link asks a question. */
export function linkText(link: SshLink, now: number): StateText | null {
  const text = textOf(link, now)
  return text && 'banner' in link ? { ...text, banner: link.banner } : text
}

function textOf(link: SshLink, now: number): StateText | null {
  switch (link.kind) {
    case 'off':
      return link.why === 'no-consent'
        ? null
        : { title: t(`gpu.off.${link.why}.title`), text: t(`gpu.off.${link.why}.text`), next: null }
    case 'waiting': {
      const left = duration(Math.max(0, link.until - now))
      if (link.reason === refusedAddress)
        return {
          title: t('ssh.refusedForAWhile.title'),
          text: t('ssh.refusedForAWhile.text', { duration: left }),
          next: null,
        }
      const text =
        link.reason === overBudget
          ? t('gpu.waiting.overBudget', { duration: left })
          : t('gpu.waiting.text', { reason: link.reason, duration: left, attempt: link.attempts })
      return { title: t('gpu.waiting.title'), text, next: null }
    }
    case 'stopped':
      return stopText(link.stop)
    case 'connecting':
      return link.banner === undefined
        ? null
        : { title: t('ssh.banner.title'), text: t('ssh.banner.text'), next: null }
    case 'connected':
    case 'host-key-unknown':
      return null
  }
}

export function reportText(report: Exclude<GpuReport, { kind: 'gpus' }>): StateText {
  const path = `gpu.report.${report.kind}`
  switch (report.kind) {
    case 'not-begun':
      return notBegunText(report)
    case 'slow-login':
      return slowLoginText(report)
    case 'no-tool':
      return words(path, { path: report.path ?? t('gpu.anyPath') })
    case 'no-answer':
      return words(path, { seconds: report.seconds })
    case 'not-understood':
      return withLogin(words(path, { said: report.said }), report.loginOutput)
    default:
      return words(path, 'said' in report ? { said: report.said } : {})
  }
}

export function unavailableTitle(link: SshLink, report: GpuReport | null, now: number): string {
  if (link.kind === 'host-key-unknown') return t('gpu.progress.hostKey')
  const notice = linkText(link, now)
  if (notice) return notice.title
  return report && report.kind !== 'gpus' ? reportText(report).title : t('gpu.notRead')
}
