import type { ArmedCreationView, ArmedDelay } from '../bridge/creation'
import { dateFormat } from '../locale'
import { formatRate } from '../money/format-money'
import { failureText, type TranslatePath } from './failure-text'

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

type Shown = Pick<ArmedCreationView, 'state' | 'cap' | 'expiresAt'>

/** Returns why a flavor in stock was not ordered. Pure. */
export function delayText({ why, price, failure }: ArmedDelay, t: TranslatePath): string {
  return t(`armedCreations.delays.${why}`, {
    price: price ? formatRate(price) : '',
    currency: price?.currency ?? '',
    reason: failure ? failureText(failure, t).title : '',
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
        reason: state.failure ? failureText(state.failure, t).title : '',
      })
  }
}
