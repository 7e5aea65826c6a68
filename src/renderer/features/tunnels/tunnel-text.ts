import type { ForwardView, ServicesReport, ServiceView } from '#shared/bridge/tunnel'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { MachineState } from '#shared/service/machine-state'
import { foreignText } from '../../components/foreign-text'
import { t } from '../../platform/i18n'
import { duration } from '../../platform/time'
import { linkText, notBegunText, slowLoginText, type StateText } from '../gpu/gpu-text'

/** Returns the name of a service such as "Jupyter", or "Port 4040" if it is not recognised. */
export const nameText = ({ name, port }: Pick<ServiceView, 'name' | 'port'>): string =>
  name === null ? t('tunnels.port', { port }) : foreignText(name, 60)
export const processText = ({ process }: ServiceView): string =>
  process === null ? t('tunnels.other') : foreignText(process, 60)
export const hostText = (host: string): string => foreignText(host, 60)
export const addressText = ({ localPort }: Pick<ForwardView, 'localPort'>): string => `127.0.0.1:${localPort}`

/** Explains why a forward does not work now; null if it works. */
export function forwardText({ state, port }: ForwardView, now: number): string | null {
  switch (state.kind) {
    case 'open':
      return null
    case 'waiting':
      return t('tunnels.waiting', { duration: duration(Math.max(0, state.until - now)) })
    case 'stopped':
      return linkText(state, now)?.title ?? null
    case 'connecting':
    case 'unanswered':
    case 'prohibited':
    case 'not-running':
    case 'host-key-unknown':
    case 'unasked':
      return t(`tunnels.state.${state.kind}`, { port })
  }
}

export function forwardDot({ state: { kind } }: ForwardView): MachineState {
  if (kind === 'open') return 'running'
  if (kind === 'connecting' || kind === 'waiting') return 'moving'
  return kind === 'not-running' || kind === 'unasked' ? 'stopped' : 'failed'
}

export function reportText(report: Exclude<ServicesReport, { kind: 'services' }>): StateText {
  switch (report.kind) {
    case 'not-begun':
      return notBegunText(report)
    case 'slow-login':
      return slowLoginText(report)
    case 'no-answer':
      return {
        title: t('tunnels.noAnswer.title'),
        text: t('tunnels.noAnswer.text', { seconds: report.seconds }),
        next: t('tunnels.noAnswer.next'),
      }
    case 'not-understood':
      return {
        title: t('tunnels.notUnderstood.title'),
        text: t('tunnels.notUnderstood.text'),
        next: t('tunnels.notUnderstood.next'),
        ...(report.loginOutput !== undefined && { loginOutput: report.loginOutput }),
      }
  }
}

/** Explains why the services of a machine can't be read; null if they can. */
export function servicesDisabledReason(link: SshLink, now: number): StateText | null {
  if (link.kind === 'off')
    return link.why === 'not-running'
      ? { title: t('tunnels.notRunning.title'), text: t('tunnels.notRunning.text'), next: null }
      : null
  if (link.kind === 'host-key-unknown')
    return {
      title: t('tunnels.hostKey.title'),
      text: t('tunnels.hostKey.text'),
      next: t('tunnels.hostKey.next'),
    }
  return linkText(link, now)
}
