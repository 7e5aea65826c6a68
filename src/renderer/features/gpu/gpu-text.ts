import type { GpuReading, GpuReport, Measured, ThrottleReason } from '#shared/bridge/gpu'
import type { NotBegun, SlowLogin } from '#shared/bridge/command'
import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import { overBudget, refusedAddress } from '#shared/ssh-wait-reasons'
import { formatCount, numberFormat, type Values } from '#shared/locale'
import { t, tPath } from '../../platform/i18n'
import { duration } from '../../platform/time'

const tenth = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A value as it is shown; where there is none, a dash, and why. */
export interface Shown {
  readonly text: string
  readonly why: string | null
}

const shown = (value: Measured, text: (value: number) => string): Shown =>
  typeof value === 'number'
    ? { text: text(value), why: null }
    : { text: t('common.none'), why: t(`gpu.absent.${value}`) }

export const percentText = (value: number): string => t('gpu.values.percent', { value: formatCount(value) })
export const celsiusText = (value: number): string => t('gpu.values.celsius', { value: formatCount(value) })
export const wattsText = (value: number): string => t('gpu.values.watts', { value: formatCount(value) })
const gibibytesText = (mebibytes: number): string =>
  t('gpu.values.gibibytes', { value: tenth(mebibytes / 1024) })

export const percent = (value: Measured): Shown => shown(value, percentText)
export const celsius = (value: Measured): Shown => shown(value, celsiusText)
export const megahertz = (value: Measured): Shown =>
  shown(value, (number) => t('gpu.values.megahertz', { value: formatCount(number) }))
export const gibibytes = (value: Measured): Shown => shown(value, gibibytesText)

/** "612 / 700 W"; the limit is left out where it is not known. */
export const power = ({ power: draw, powerLimit }: GpuReading): Shown =>
  shown(draw, (value) =>
    typeof powerLimit === 'number'
      ? t('gpu.values.slash', { value: formatCount(value), whole: wattsText(powerLimit) })
      : wattsText(value),
  )

/** "74.7 of 79.6 GiB" */
export const memory = ({ memoryUsed, memoryTotal }: GpuReading): Shown =>
  shown(memoryUsed, (value) =>
    typeof memoryTotal === 'number'
      ? t('gpu.values.of', { value: tenth(value / 1024), whole: gibibytesText(memoryTotal) })
      : gibibytesText(value),
  )

/** MiB in use on a GPU without processes: drivers keep up to several hundred for themselves. */
const mostIdleMemory = 1_024

/** What an empty list of processes means: nvidia-smi in a container lists none of the processes outside. */
export const noProcesses = (gpus: readonly GpuReading[]): 'none' | 'hidden' =>
  gpus.some(({ memoryUsed }) => typeof memoryUsed === 'number' && memoryUsed > mostIdleMemory)
    ? 'hidden'
    : 'none'

/** Between 0 and 1; null where one of them is not known. */
export const memoryShare = ({ memoryUsed, memoryTotal }: GpuReading): number | null =>
  typeof memoryUsed === 'number' && typeof memoryTotal === 'number' && memoryTotal > 0
    ? Math.min(1, memoryUsed / memoryTotal)
    : null

/** An idle clock and one that somebody chose are no throttling. */
const harmless: readonly ThrottleReason[] = ['idle', 'application-clocks', 'display-clocks']

/** What holds the GPU back, in words. */
export const throttleText = ({
  throttle,
}: GpuReading): readonly { readonly reason: ThrottleReason; readonly words: string }[] =>
  typeof throttle === 'string'
    ? []
    : throttle
        .filter((reason) => !harmless.includes(reason))
        .map((reason) => ({ reason, words: t(`gpu.throttle.${reason}`) }))

/** Memory errors, the bad ones first. */
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

/** The text where there are no GPUs to show, and what to do next. */
export interface StateText {
  readonly title: string
  readonly text: string
  readonly next: string | null
  /** Output of the login shell's start-up files. */
  readonly loginOutput?: string
  /** Message of the SSH server during a sign-in. */
  readonly banner?: string | undefined
}

const words = (path: string, values: Values = {}): StateText => ({
  title: tPath(`${path}.title`, values),
  text: tPath(`${path}.text`, values),
  next: tPath(`${path}.next`, values),
})

const withLogin = (text: StateText, loginOutput: string | undefined): StateText =>
  loginOutput === undefined ? text : { ...text, loginOutput }

/** Why the login shell of a machine did not start a command. */
export const notBegunText = ({ why, said }: NotBegun): StateText =>
  words(`ssh.notBegun.${said === '' ? 'silent' : why}`, { said })

/** The login shell of a machine had not started a command in time. */
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
        keys: stop.keys.join(', '),
      })
    case 'key-unusable':
      return words(`gpu.stop.${stop.why}`, { path: stop.path })
    case 'keys-unsupported':
      return words('gpu.stop.keys-unsupported', { types: stop.types.join(', ') })
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

/** Why a machine can't be read; null if nothing prevents it, or the link asks a question. */
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

/** What the machine said in place of its GPUs. */
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

/** Why a machine's GPUs are not read now, in few words. */
export function unavailableTitle(link: SshLink, report: GpuReport | null, now: number): string {
  if (link.kind === 'host-key-unknown') return t('gpu.progress.hostKey')
  const stands = linkText(link, now)
  if (stands) return stands.title
  return report && report.kind !== 'gpus' ? reportText(report).title : t('gpu.notRead')
}
