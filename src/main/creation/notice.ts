import type { Destination } from '#shared/bridge/app'
import { type Creation, isSetUpRead } from '#shared/bridge/creation'
import type { TranslatePath } from '#shared/messages/failure-text'
import type { NotificationWords } from '../core/notification'

/** Returns the key of the notification's texts under creation.notice. */
function noticeKey({ connect, state }: Creation): string {
  if (connect === 'due') return 'connects'
  switch (state.kind) {
    case 'failed':
      return 'failed'
    case 'ready':
      if (state.setUp === 'failed') return 'setUpFailed'
      return state.setUp === 'degraded' ? 'degraded' : 'ready'
    case 'running':
      return `running.${state.ssh}`
    default:
      return 'running.unchecked'
  }
}

/** Returns the sentences about the wishes that ended. */
const endedWishes = ({ connect, services }: Creation, translate: TranslatePath): string =>
  [
    connect === 'ended' && translate('creation.texts.notConnected'),
    services === 'ended' && translate('creation.texts.servicesNotOpened'),
  ]
    .filter(Boolean)
    .join(translate('common.sentenceSeparator'))

/** Whether the set-up ended with an error or with warnings. */
const hasErrors = ({ state }: Creation): boolean =>
  state.kind === 'ready' && isSetUpRead(state.setUp) && state.setUp !== 'done'

/** Returns the notification of a creation that ended. `holdsCommands`: the commands of its template were not started. */
export function settledText(
  creation: Creation,
  translate: TranslatePath,
  holdsCommands = false,
): NotificationWords {
  const { name, state, connect } = creation
  const withCommands = (text: string): string =>
    holdsCommands
      ? [text, translate('creation.notice.commandsHeld')].join(translate('common.sentenceSeparator'))
      : text
  if (state.kind === 'gone')
    return {
      title: translate(`creation.states.${state.why}`, { name }),
      body: endedWishes(creation, translate),
      isGoodNews: false,
    }
  if (connect !== 'due' && state.kind === 'ready' && !isSetUpRead(state.setUp))
    return {
      title: translate('creation.states.answers', { name }),
      body: withCommands(translate(`creation.texts.setUp.${state.setUp}`)),
      isGoodNews: false,
    }
  const key = noticeKey(creation)
  return {
    title: translate(`creation.notice.${key}.title`, { name }),
    body: withCommands(translate(`creation.notice.${key}.text`)),
    isGoodNews: (key === 'ready' || key === 'connects') && !hasErrors(creation),
  }
}

/** Returns the page of the machine, which has its Connect button. */
export function destinationOf({ account, kind, state }: Creation): Destination {
  const machine = 'machine' in state && state.kind !== 'gone' ? state.machine : undefined
  if (kind === 'machine') return { page: 'machines', account, ...(machine === undefined ? {} : { machine }) }
  return { page: 'bare-metal', account, ...(machine === undefined ? {} : { instance: machine }) }
}
