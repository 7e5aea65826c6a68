// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { accountView, now } from '../../../../test/gallery/world'
import { callCount, tripleClick, withClickGuard } from '../../../../test/gallery/triple-click'
import { t } from '../../platform/i18n'
import TokenPanel from './TokenPanel.vue'

let window: Mounted
withClickGuard()
afterEach(() => window.unmount())

it('triple clicks on the pencil and the tick rename the token once', async () => {
  const token = {
    id: 't-1',
    name: 'ci',
    description: null,
    createdAt: now,
    lastUsed: 0,
    hasValue: true,
    inUse: false,
  }
  window = await mounted(() => h(TokenPanel, { account: accountView(), token }), {
    'apiTokens.update': () => ({ kind: 'done', token: { ...token, name: 'nightly' } }),
  })
  await tripleClick(window, window.named(t('ssh.edit', { what: t('apiTokens.fields.name') })))
  await window.type(window.find('dl input'), 'nightly')
  await tripleClick(window, window.named(t('ssh.save', { what: t('apiTokens.fields.name') })))
  expect(callCount(window, 'apiTokens.update')).toBe(1)
})
