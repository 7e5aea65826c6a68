import { overBudget, refusedAddress } from '#shared/ssh-wait-reasons'
import type { CommandState } from '#shared/bridge/command'
import { formatCount } from '#shared/locale'
import type { MachineState } from '#shared/service/machine-state'
import { foreignText } from '../../components/foreign-text'
import { t } from '../../platform/i18n'
import { duration } from '../../platform/time'
import { linkText, notBegunText } from '../gpu/gpu-text'
import type { Printed } from './use-run'

/** Outcomes of a command on one machine, as the summary counts them. */
const outcomes = ['running', 'succeeded', 'failed', 'notReached', 'timedOut', 'cancelled'] as const
export type Outcome = (typeof outcomes)[number]

const outcomeOfState: Readonly<Record<Exclude<CommandState['kind'], 'exited'>, Outcome>> = {
  waiting: 'running',
  connecting: 'running',
  running: 'running',
  signalled: 'failed',
  'printed-too-much': 'failed',
  lost: 'failed',
  refused: 'failed',
  'not-begun': 'failed',
  'not-reached': 'notReached',
  unavailable: 'notReached',
  'host-key-unknown': 'notReached',
  stopped: 'notReached',
  'timed-out': 'timedOut',
  cancelled: 'cancelled',
}

export function outcomeOf(state: CommandState): Outcome {
  if (state.kind !== 'exited') return outcomeOfState[state.kind]
  return state.code === 0 ? 'succeeded' : 'failed'
}

/** Returns a summary such as "12 succeeded, 1 failed, 2 couldn’t be reached". */
export function summaryText(states: readonly CommandState[]): string {
  const all = states.map(outcomeOf)
  return outcomes
    .map((outcome) => [outcome, all.filter((counted) => counted === outcome).length] as const)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => t(`commands.summary.${outcome}`, { count: formatCount(count) }))
    .join(t('common.listSeparator'))
}

export function stateText(state: CommandState, now: number): string {
  const text = textOf(state, now)
  if ('mayRun' in state && state.mayRun) return t('commands.state.mayRun', { state: text })
  return 'beforeStart' in state && state.beforeStart ? t('commands.state.beforeStart', { state: text }) : text
}

function textOf(state: CommandState, now: number): string {
  switch (state.kind) {
    case 'running':
      return t('commands.state.running', { duration: duration(Math.max(0, now - state.since)) })
    case 'exited':
      if (state.code === null) return t('commands.state.ended')
      return state.code === 0
        ? t('commands.state.succeeded')
        : t('commands.state.exited', { code: state.code })
    case 'signalled':
      return state.signal === null
        ? t('commands.state.unknownSignal')
        : t('commands.state.signalled', { signal: foreignText(state.signal, 40) })
    case 'not-begun': {
      const { title, text } = notBegunText(state)
      if (state.said === '') return t('ssh.notBegun.shortSilent', { title, text })
      return t('ssh.notBegun.short', { title, said: foreignText(state.said, 200) })
    }
    case 'timed-out':
      return t('commands.state.timed-out', { duration: duration(state.seconds) })
    case 'printed-too-much':
      return t('commands.state.printed-too-much', { size: formatCount(state.bytes / 2 ** 20) })
    case 'refused':
    case 'not-reached':
      if (state.reason === overBudget) return t('commands.state.over-budget')
      if (state.reason === refusedAddress) return t('ssh.refusedForAWhile.title')
      return t(`commands.state.${state.kind}`, { reason: foreignText(state.reason, 200) })
    case 'unavailable':
      return t(`ssh.disabledReason.${state.why}`)
    case 'stopped':
      return linkText(state, now)?.title ?? ''
    case 'waiting':
    case 'connecting':
    case 'cancelled':
    case 'lost':
    case 'host-key-unknown':
      return t(`commands.state.${state.kind}`)
  }
}

const dots: Readonly<Record<Outcome, MachineState>> = {
  running: 'moving',
  succeeded: 'running',
  failed: 'failed',
  notReached: 'failed',
  timedOut: 'failed',
  cancelled: 'stopped',
}
export const stateDot = (state: CommandState): MachineState =>
  state.kind === 'waiting' ? 'stopped' : dots[outcomeOf(state)]

const [bell, escape, csi] = [7, 27, 155].map((code) => String.fromCharCode(code))
/** Escape sequences of ECMA-48: terminated strings (titles, links, clipboards), control sequences, and others. */
const escapes = new RegExp(
  [
    `${escape}[\\]P^_X][^${bell}${escape}\\n]{0,4096}(?:${bell}|${escape}\\\\)`,
    `(?:${escape}\\[|${csi})[0-?]*[ -/]*[@-~]`,
    `${escape}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)
/** Returns the last text of a line: a carriage return starts overwriting it. */
function lastWritten(line: string): string {
  const text = line.replace(/\r+$/, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}

/** Returns a command's output as plain text, without escape sequences. */
export function plainOutput(text: string): string {
  const lines = text.replace(escapes, '').split('\n').map(lastWritten)
  return foreignText(lines.join('\n'), text.length + 1)
}

/** Returns the first and last output, with the number of characters left out between them. */
export function printedText({ first, leftOut, last }: Printed): string {
  if (leftOut === 0) return plainOutput(first + last)
  const between = t('commands.leftOut', { count: formatCount(leftOut) })
  return `${plainOutput(first)}\n${between}\n${plainOutput(last)}`
}
