import type { FlavorView } from '#shared/bridge/catalog'
import { type Creation, isSetUpRead } from '#shared/bridge/creation'
import { failureText } from '#shared/messages/failure-text'
import type { SshLink } from '#shared/bridge/ssh-link'
import { formatMoney } from '#shared/money/format-money'
import type { MachineState } from '#shared/service/machine-state'
import { overBudget, refusedAddress } from '#shared/ssh-wait-reasons'
import { t, tPath } from '../../platform/i18n'
import { ago } from '../../platform/time'
import { linkText } from '../gpu/gpu-text'

const names = (machines: readonly { readonly name: string; readonly id: string }[]): string =>
  machines.map(({ name, id }) => `${name} (${id})`).join(t('common.listSeparator'))

type StateOf<Kind extends Creation['state']['kind']> = Extract<Creation['state'], { kind: Kind }>

function titleKey(state: Creation['state']) {
  if (state.kind === 'gone') return state.why
  if (state.kind !== 'ready') return state.kind
  if (state.setUp === 'failed') return 'setUpFailed'
  return isSetUpRead(state.setUp) ? 'ready' : 'answers'
}

/** Returns the title of a creation's state, such as "train-1 is booting". */
export function creationTitle({ name, state }: Pick<Creation, 'name' | 'state'>): string {
  return t(`creation.states.${titleKey(state)}`, { name })
}

function bootingText(link: SshLink | null, now: number): string {
  if (link?.kind === 'stopped') return t('creation.texts.bootingKeys')
  if (link?.kind !== 'waiting') return t('creation.texts.booting')
  const isSystemError = link.reason !== overBudget && link.reason !== refusedAddress
  return isSystemError
    ? t('creation.texts.bootingBecause', { reason: link.reason })
    : (linkText(link, now)?.text ?? '')
}

function runningText({ ssh, stop }: StateOf<'running'>, now: number): string {
  if (ssh !== 'blocked') return t(`creation.texts.${ssh}`)
  const reason = stop && linkText({ kind: 'stopped', stop }, now)
  return reason
    ? t('creation.texts.blocked', { reason: reason.title, next: reason.next ?? '' }).trim()
    : t('creation.texts.blockedUnknown')
}

function absentText({ others }: StateOf<'absent'>): string {
  if (others.length === 0) return t('creation.texts.absent')
  return `${t('creation.texts.absent')} ${t('creation.texts.absentOthers', { names: names(others) })}`
}

function stateText({ kind, state, link, connect, services }: Creation, now: number): string {
  switch (state.kind) {
    case 'created':
      return connect === 'waiting' || services === 'waiting' ? '' : t('creation.texts.created')
    case 'sending':
      return t('creation.texts.sending')
    case 'gone':
      return ''
    case 'booting':
      return bootingText(link, now)
    case 'setting-up':
      return t('creation.texts.settingUp')
    case 'running':
      return runningText(state, now)
    case 'ready': {
      const detail = state.detail ?? t('creation.texts.setUp.noDetail')
      return t(`creation.texts.setUp.${state.setUp}`, { detail })
    }
    case 'failed':
      return state.status === null
        ? t('creation.texts.failedUnknown')
        : t('creation.texts.failed', { status: state.status })
    case 'looking':
      return state.failure
        ? t('creation.texts.lookingBlocked', { reason: failureText(state.failure, tPath).title })
        : t('creation.texts.looking')
    case 'absent':
      return absentText(state)
    case 'unclear':
      return t('creation.texts.unclear', { names: names(state.candidates) })
    case 'unknown':
      return kind === 'machine' ? t('creation.texts.unreadable') : t('creation.texts.unknown')
  }
}

/** Returns the text of a creation's state, with how it was found and whether a terminal opens. `now`: epoch seconds. */
export function creationText(creation: Creation, now: number): string {
  const { state, connect, services } = creation
  const isFound = 'found' in state && state.found
  const isWished = connect === 'waiting' || connect === 'ended'
  return [
    isFound && t('creation.texts.found'),
    stateText(creation, now),
    isWished && t(connect === 'waiting' ? 'creation.texts.willConnect' : 'creation.texts.notConnected'),
    services === 'waiting' && t('creation.texts.willOpenServices'),
    services === 'ended' && t('creation.texts.servicesNotOpened'),
  ]
    .filter(Boolean)
    .join(t('common.sentenceSeparator'))
}

/** Returns the seconds until a creation usually ends: null if unknown, 0 if overdue. */
export const secondsLeft = (
  { usualSeconds, sentAt }: Pick<Creation, 'usualSeconds' | 'sentAt'>,
  now: number,
): number | null => (usualSeconds === null ? null : Math.max(0, sentAt + usualSeconds - now))

/** How a creation's bar looks. `attention`: the user should look at it. */
export function creationTone({ state }: Creation): 'neutral' | 'good' | 'attention' | 'bad' {
  switch (state.kind) {
    case 'ready':
      if (state.setUp === 'failed') return 'bad'
      if (state.setUp === 'degraded') return 'attention'
      return isSetUpRead(state.setUp) ? 'good' : 'neutral'
    case 'running':
      return state.ssh === 'unchecked' ? 'good' : 'attention'
    case 'failed':
      return 'bad'
    case 'gone':
    case 'absent':
    case 'unclear':
    case 'unknown':
      return 'attention'
    default:
      return 'neutral'
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
  booting: 'moving',
  'setting-up': 'moving',
  looking: 'moving',
  running: 'running',
  ready: 'running',
  gone: 'other',
  failed: 'failed',
  absent: 'other',
  unclear: 'other',
  unknown: 'other',
}
export const creationDot = ({ state }: Creation): MachineState => dots[state.kind]
