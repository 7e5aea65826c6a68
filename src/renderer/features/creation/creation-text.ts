import type { FlavorView } from '#shared/bridge/catalog'
import type { Creation } from '#shared/bridge/creation'
import { failureText } from '#shared/messages/failure-text'
import { formatMoney } from '#shared/money/format-money'
import type { MachineState } from '#shared/service/machine-state'
import { t, tPath } from '../../platform/i18n'
import { ago } from '../../platform/time'

const names = (machines: readonly { readonly name: string; readonly id: string }[]): string =>
  machines.map(({ name, id }) => `${name} (${id})`).join(', ')

/** Returns the text of a creation's state; empty if the title suffices. */
export function creationText({ kind, state }: Creation): string {
  switch (state.kind) {
    case 'sending':
      return t('creation.texts.sending')
    case 'created':
      return [state.found ? t('creation.texts.found') : '', t('creation.texts.created')].join(' ').trim()
    case 'running':
      return state.found ? t('creation.texts.found') : ''
    case 'failed':
      return t('creation.texts.failed')
    case 'looking':
      return state.failure
        ? t('creation.texts.lookingBlocked', { reason: failureText(state.failure, tPath).title + '.' })
        : t('creation.texts.looking')
    case 'absent':
      return [
        t('creation.texts.absent'),
        state.others.length > 0 ? t('creation.texts.absentOthers', { names: names(state.others) }) : '',
      ]
        .join(' ')
        .trim()
    case 'unclear':
      return t('creation.texts.unclear', { names: names(state.candidates) })
    case 'unknown':
      return kind === 'machine' ? t('creation.texts.unreadable') : t('creation.texts.unknown')
  }
}

/** Describes a sent creation without its name: the time, and the flavor with region and price. */
export function sentText(
  { sentAt, flavor: id }: Creation,
  flavors: readonly FlavorView[],
  now: number,
): string {
  const flavor = flavors.find((candidate) => candidate.id === id)
  const { name, region, price } = flavor ?? {}
  return [
    t('creation.again.sent', { age: ago(sentAt, now) }),
    name ?? id,
    region?.name ?? region?.id,
    price && t('creation.again.price', { price: formatMoney(price) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

const dots: Readonly<Record<Creation['state']['kind'], MachineState>> = {
  sending: 'moving',
  created: 'moving',
  looking: 'moving',
  running: 'running',
  failed: 'failed',
  absent: 'other',
  unclear: 'other',
  unknown: 'other',
}
export const creationDot = ({ state }: Creation): MachineState => dots[state.kind]
