import { expect, it } from 'vitest'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createPreferences } from './preferences'

it('forgets what was run in the palette for an account that is forgotten', async () => {
  const { handlers, forgetAccount, read } = createPreferences(flakySettings())
  await handlers['settings.change']({
    recentCommands: ['machine/aaaaaaaaaaaa/m', 'page/billing', 'account/aaaaaaaaaaaa'],
  })
  if (typeof forgetAccount === 'function') await forgetAccount('aaaaaaaaaaaa')
  expect(read().recentCommands).toEqual(['page/billing'])
})
