// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { h } from 'vue'
import type { KeptSessions } from '#shared/bridge/terminal'
import { mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import KeptDialog from './KeptDialog.vue'

const loginOutput = 'setlocale: cannot change locale'

it.each<KeptSessions>([
  { kind: 'slow-login', seconds: 20, loginOutput },
  { kind: 'failed', state: { kind: 'timed-out', seconds: 20 }, loginOutput },
  { kind: 'not-understood', said: 'motd', loginOutput },
])('the output of the login is offered if a machine lists no kept sessions: %j', async (answer) => {
  const dialog = () => h(KeptDialog, { account, machine: machine() })
  const window = await mounted(dialog, { 'terminal.kept': () => answer })
  const [details] = window.all('details')
  expect(details?.textContent).toContain(t('ssh.loginOutput'))
  expect(details?.textContent).toContain(loginOutput)
  window.unmount()
})
