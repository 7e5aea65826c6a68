import { expect, it, onTestFinished } from 'vitest'
import { currentLocale, followLocale } from '#shared/locale'
import { later as german } from '#shared/messages/de/later'
import { translate } from '#shared/messages/index'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createPreferences, followPreferredLocale } from './preferences'

it('recent palette commands of a forgotten account are deleted', async () => {
  const { handlers, forgetAccount, read } = createPreferences(flakySettings())
  await handlers['settings.change']({
    recentCommands: ['machine/aaaaaaaaaaaa/m', 'page/billing', 'account/aaaaaaaaaaaa'],
  })
  if (typeof forgetAccount === 'function') await forgetAccount('aaaaaaaaaaaa')
  expect(read().recentCommands).toEqual(['page/billing'])
})

it('a listener of the theme is called for the theme only', async () => {
  const { handlers, onThemeChange, read } = createPreferences(flakySettings())
  const themes: string[] = []
  onThemeChange(() => void themes.push(read().theme))
  await handlers['settings.change']({ tabUses: { gpu: 1 } })
  await handlers['settings.change']({ theme: 'dark' })
  await handlers['settings.change']({ theme: 'dark', panelWidth: 500 })
  expect(themes).toEqual(['dark'])
})

it('texts outside the window follow the language, and their listener is called with them loaded', async () => {
  onTestFinished(() => followLocale(() => 'en'))
  const preferences = createPreferences(flakySettings())
  const titles: string[] = []
  const changed = () => void titles.push(translate('volumes.title'))
  await followPreferredLocale(preferences, ['pl-PL', 'de-AT'], changed)
  expect(currentLocale()).toBe('de-AT')
  expect(titles).toEqual([german.volumes.title])
  await preferences.handlers['settings.change']({ locale: 'en' })
  await expect.poll(() => titles).toEqual([german.volumes.title, 'Volumes'])
})
