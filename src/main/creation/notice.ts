import type { Destination } from '#shared/bridge/app'
import type { Creation } from '#shared/bridge/creation'
import type { TranslatePath } from '#shared/messages/failure-text'

export function settledText(
  { name, state }: Creation,
  translate: TranslatePath,
): { readonly title: string; readonly body: string } {
  const words = state.kind === 'failed' ? 'failed' : 'running'
  return {
    title: translate(`creation.notice.${words}.title`, { name }),
    body: translate(`creation.notice.${words}.text`),
  }
}

/** Returns the page of the machine, which has its Connect button. */
export function destinationOf({ account, kind, state }: Creation): Destination {
  const machine = 'machine' in state ? state.machine : undefined
  if (kind === 'machine') return { page: 'machines', account, ...(machine === undefined ? {} : { machine }) }
  return { page: 'bare-metal', account, ...(machine === undefined ? {} : { instance: machine }) }
}
