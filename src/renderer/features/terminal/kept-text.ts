import type { KeptSessions } from '#shared/bridge/terminal'
import { t } from '../../platform/i18n'
import { stateText } from '../commands/run-text'
import { slowLoginText, type StateText } from '../gpu/gpu-text'

export function keptText(report: Exclude<KeptSessions, { kind: 'sessions' | 'no-tool' }>): StateText {
  if (report.kind === 'slow-login') return slowLoginText(report)
  const { loginOutput } = report
  const login = loginOutput === undefined ? {} : { loginOutput }
  if (report.kind === 'failed')
    return { title: t('terminal.kept.failed'), text: stateText(report.state, 0), next: null, ...login }
  const text = t('terminal.kept.notUnderstood.text', { said: report.said })
  return { title: t('terminal.kept.notUnderstood.title'), text, next: null, ...login }
}
