import type { Page } from '@playwright/test'
import { languages, type Language } from '../../src/shared/locale'
import { en } from '../../src/shared/messages/en/index'
import { messageAt, type MessageTree } from '../../src/shared/messages/format'
import { translations } from '../../src/shared/messages/translations'
import { messageTexts } from '../fixtures/message-uses'
import { expect, test } from './fixtures'
import { beyondEdge, resize } from './support/narrow'
import { pictureOfWindow } from './support/pictures'
import { lookAround, machineNames, openMachine } from './support/window'

/** Name of the sandbox’s account: the name of an account does not follow the language. */
const accountName = 'Sandbox'

/** English texts that no translation of the language has. */
const englishOnly = (messages: MessageTree): readonly string[] => {
  const translated = new Set([...messageTexts(messages), accountName])
  return [...messageTexts(en)].filter((text) => /[a-z]{3}/.test(text) && !translated.has(text))
}

const shownAmong = (window: Page, texts: readonly string[]): Promise<readonly string[]> =>
  window.evaluate((all) => {
    const known = new Set(all)
    const found = new Set<string>()
    const note = (text: string | null): void => {
      if (text !== null && known.has(text.trim())) found.add(text.trim())
    }
    for (const element of document.body.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder']) note(element.getAttribute(name))
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) note(node.nodeValue)
    }
    return [...found]
  }, texts)

const messagesOf = async (language: Language): Promise<MessageTree> => {
  if (language === 'en') return en
  const { first, later } = translations[language]
  return { ...(await first()), ...(await later()) }
}

for (const language of languages.filter((one) => one !== 'en'))
  test(`every page is in the chosen language, and fits a narrow window: ${language}${language === 'fr' ? '' : ' @deep'}`, async ({
    start,
  }) => {
    test.slow()
    const messages = await messagesOf(language)
    const text = (path: string): string => messageAt(messages, path) ?? path
    const english = englishOnly(messages)
    const { electron, window, quit } = await start()
    await resize(electron, [1000, 700])
    await lookAround(window)
    await machineNames(window)
    await openMachine(window, 'train-llama-01')

    const links = window.getByRole('navigation').first().getByRole('link')
    await links.last().click()
    const setting = window.getByRole('combobox', { name: 'Language' })
    await setting.selectOption(language)
    await expect(window.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`))
    await expect(window.getByRole('heading', { level: 1 })).toHaveText(text('common.navigation.settings'))

    const check = async (page: string): Promise<void> => {
      await expect.poll(() => shownAmong(window, english), page).toEqual([])
      await expect.poll(() => beyondEdge(window), page).toEqual([])
      await pictureOfWindow(window, `${language}, ${page}`)
    }
    await check('settings')
    for (const link of await links.all()) {
      await link.click()
      await expect(window.getByRole('heading', { level: 1 })).toBeVisible()
      await check((await link.getAttribute('href'))?.replace('#/', '') ?? '')
    }
    await links.nth(1).click()
    const tabs = window.getByRole('complementary').getByRole('tab')
    for (const tab of await tabs.all()) {
      await tab.click()
      await check(`machine, ${(await tab.textContent()) ?? ''}`)
    }
    await window.keyboard.press('Control+k')
    await expect(window.getByRole('dialog')).toBeVisible()
    await check('palette')
    await window.keyboard.press('Escape')
    await window.goto(window.url().replace(/#.*/, '#/machines/new'))
    await check('new machine')
    await quit()

    const again = await start()
    await expect(again.window.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`))
    await expect.poll(() => shownAmong(again.window, english)).toEqual([])
  })
