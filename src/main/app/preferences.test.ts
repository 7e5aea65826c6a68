import { expect, it } from 'vitest'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createPreferences } from './preferences'

it('recent palette commands of a forgotten account are deleted', async () => {
  const { handlers, forgetAccount, read } = createPreferences(flakySettings())
  await handlers['settings.change']({
    recentCommands: ['machine/aaaaaaaaaaaa/m', 'page/billing', 'account/aaaaaaaaaaaa'],
  })
  if (typeof forgetAccount === 'function') await forgetAccount('aaaaaaaaaaaa')
  expect(read().recentCommands).toEqual(['page/billing'])
})
