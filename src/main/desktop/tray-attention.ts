import type { AccountView } from '#shared/bridge/account'
import type { Alert } from '#shared/bridge/alert'
import type { Destination } from '#shared/bridge/app'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { Job } from '#shared/bridge/job'
import { alertText } from '#shared/messages/alert-text'
import { durationSince } from '#shared/messages/duration-text'
import { translate } from '#shared/messages/index'
import { destinationOf } from '../alerts/notice'
import { systemLine } from './system-text'
import { shortEndText } from './tray-facts'
import { maxNameLength, show, type TrayItem } from './tray-item'

/** Upper bound on the lines of each kind. */
const maxLines = 3

/** Facts of an account that need the user's attention, or that the user waits for. */
export interface AttentionSources {
  alerts(account: string): readonly Alert[]
  ends(account: string): readonly EndRuleView[]
  jobs(account: string): readonly Job[]
  /** Page with the jobs of a machine. */
  jobsPage(account: string, machine: string): Destination
  /** Epoch seconds. */
  readonly now: number
}

interface Line {
  readonly account: AccountView
  readonly text: string
  readonly destination: Destination
}

function firstLines(lines: readonly Line[], isOnlyAccount: boolean): readonly TrayItem[] {
  const rest = lines.length - maxLines
  return [
    ...lines.slice(0, maxLines).map(({ account, text, destination }) => ({
      label: isOnlyAccount ? text : `${text} · ${account.label}`,
      action: show(destination),
    })),
    ...(rest > 0
      ? [
          {
            label: translate('desktop.tray.more', { count: rest }),
            action: show(null),
          },
        ]
      : []),
  ]
}

/** Time by which ends are sorted. A held one waits for the user, so it is first. */
const orderOf = ({ state, dueAt }: EndRuleView): number => (state.kind === 'held' ? 0 : (dueAt ?? Infinity))

/** Returns the first lines of the tray's menu: alerts, machines that end automatically, and jobs that run. */
export function attentionItems(
  accounts: readonly AccountView[],
  { alerts, ends, jobs, jobsPage, now }: AttentionSources,
): readonly TrayItem[] {
  const shown = accounts.filter(({ state }) => state === 'signed-in')
  const kinds: readonly (readonly Line[])[] = [
    shown.flatMap((account) =>
      alerts(account.id)
        .filter(({ snoozedUntil }) => snoozedUntil === null)
        .map((alert) => ({
          account,
          text: alertText(alert, translate, now).title,
          destination: destinationOf(alert),
        })),
    ),
    shown
      .flatMap((account) => ends(account.id).map((rule) => ({ account, rule })))
      .toSorted((one, other) => orderOf(one.rule) - orderOf(other.rule))
      .flatMap(({ account, rule }) => {
        const end = shortEndText(rule, now)
        if (end === null) return []
        const text = `${systemLine(rule.name, maxNameLength)}: ${end}`
        return [
          { account, text, destination: { page: 'machines', account: account.id, machine: rule.machine } },
        ]
      }),
    shown.flatMap((account) =>
      jobs(account.id)
        .filter(({ state }) => state.kind === 'running')
        .map(({ name, machine, machineName, since }) => ({
          account,
          text: [
            translate('desktop.tray.job', {
              name: systemLine(name, maxNameLength),
              machine: systemLine(machineName, maxNameLength),
            }),
            durationSince(since, now, translate),
          ].join(' · '),
          destination: jobsPage(account.id, machine),
        })),
    ),
  ]
  const lines = kinds.flatMap((kind) => firstLines(kind, shown.length === 1))
  return lines.length > 0 ? [...lines, 'separator'] : []
}
