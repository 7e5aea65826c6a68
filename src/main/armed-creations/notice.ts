import type { ArmedCreation, ArmedEnd, ArmedDelay } from '#shared/bridge/creation'
import { armedText, delayText } from '#shared/messages/armed-text'
import type { TranslatePath } from '#shared/messages/failure-text'
import { cut, oneLine } from '../core/one-line'

interface Words {
  readonly title: string
  readonly body: string
}

const maxName = 80
const maxBody = 400
const namesOf = ({ order, flavorName }: ArmedCreation) => ({
  machine: cut(oneLine(order.machine.name), maxName),
  flavor: cut(oneLine(flavorName), maxName),
})

export const createdText = (armed: ArmedCreation, translate: TranslatePath): Words => ({
  title: translate('armedCreations.notices.created', namesOf(armed)),
  body: translate('armedCreations.notices.createdText', namesOf(armed)),
})
export const endedText = (armed: ArmedCreation, why: ArmedEnd, translate: TranslatePath): Words => ({
  title: translate(`armedCreations.notices.${why}`, namesOf(armed)),
  body: cut(oneLine(armedText(armed, translate) ?? ''), maxBody),
})
export const priceText = (armed: ArmedCreation, delay: ArmedDelay, translate: TranslatePath): Words => ({
  title: translate(
    `armedCreations.notices.${delay.why === 'above-cap' ? 'aboveCap' : 'noPrice'}`,
    namesOf(armed),
  ),
  body: delayText(delay, translate),
})
