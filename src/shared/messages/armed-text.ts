import type { ArmedCreationView, ArmedDelay } from '../bridge/creation'
import type { Failure } from '../failure'
import { dateFormat } from '../locale'
import { formatRate } from '../money/format-money'
import { failureText, type TranslatePath } from './failure-text'

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

type Shown = Pick<ArmedCreationView, 'state' | 'cap' | 'expiresAt'>

/** Returns the cause of a failure for use inside a sentence, so without a full stop at its end. */
function reasonText(failure: Failure | null, t: TranslatePath): string {
  if (!failure) return ''
  const { title, text } = failureText(failure, t)
  const isTitleVague = ['refused-by-service', 'forbidden', 'invalid-input'].includes(failure.kind)
  return isTitleVague ? text.trim().replace(/[.。]$/, '') : title
}

/** Returns why a flavor in stock was not ordered. Pure. */
export function delayText({ why, price, failure }: ArmedDelay, t: TranslatePath): string {
  return t(`armedCreations.delays.${why}`, {
    price: price ? formatRate(price) : '',
    currency: price?.currency ?? '',
    reason: reasonText(failure, t),
  })
}

/** Returns until when and up to which price a creation waits. Pure. */
export const termsText = ({ cap, expiresAt }: Shown, t: TranslatePath): string =>
  t('armedCreations.waiting', { time: moment(expiresAt), cap: formatRate(cap) })

/** Returns the state of an armed creation apart from its terms; null while it just waits. Pure. */
export function armedText({ state, expiresAt }: Shown, t: TranslatePath): string | null {
  switch (state.kind) {
    case 'waiting':
      return state.delay && delayText(state.delay, t)
    case 'sending':
      return t('armedCreations.sending')
    case 'ended':
      return t(`armedCreations.ended.${state.why}`, {
        time: moment(expiresAt),
        reason: reasonText(state.failure, t),
      })
  }
}
