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

it('a listener of one setting is called for that setting only', async () => {
  const { handlers, onChangeOf, read } = createPreferences(flakySettings())
  const themes: string[] = []
  onChangeOf('theme', () => void themes.push(read().theme))
  await handlers['settings.change']({ tabUses: { gpu: 1 } })
  await handlers['settings.change']({ theme: 'dark' })
  await handlers['settings.change']({ theme: 'dark', panelWidth: 500 })
  expect(themes).toEqual(['dark'])
})
