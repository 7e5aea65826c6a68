// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keysOf } from '../../../test/fixtures/message-uses'
import { first } from '#shared/messages/en/first'
import { later } from '#shared/messages/en/later'

const renderer = join(import.meta.dirname, '..')
/** Files of the first paint: the frame, the list of machines and the connect page. */
const drawn = ['components/list', 'components/grid', 'pages/machines', 'pages/connect', 'app/shell'].flatMap(
  (folder) =>
    readdirSync(join(renderer, folder))
      .filter((file) => /\.(vue|ts)$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
)
/** Files of these folders that show text only after the first paint. */
const comesLater = /CommandPalette|palette-|ShortcutsDialog|EventToasts|UpdateNotice|AppFrame/

describe('the messages of the first paint', () => {
  it('are all in the first script', () => {
    const words = new Set(keysOf(later))
    const missing = drawn
      .filter((file) => !comesLater.test(file))
      .flatMap((file) =>
        [...readFileSync(join(renderer, file), 'utf8').matchAll(/['"`]([a-zA-Z]+\.[\w.-]+)['"`]/g)]
          .map(([, path = '']) => path)
          .filter((path) => words.has(path))
          .map((path) => `${path} in ${file}`),
      )
    expect(drawn.length).toBeGreaterThan(20)
    expect(missing).toEqual([])
  })

  it('are not repeated in the later messages', () => {
    expect(Object.keys(first).filter((area) => area in later)).toEqual([])
  })
})

describe('the later messages', () => {
  afterEach(() => vi.resetModules())

  it('are blank until they are loaded', async () => {
    vi.resetModules()
    const { laterMessages, t } = await import('./i18n')
    const { computed } = await import('vue')
    const word = computed(() => t('volumes.title'))
    expect([t('common.product'), word.value]).toEqual([first.common.product, ''])
    await laterMessages()
    expect(word.value).toBe(later.volumes.title)
  })

  it('are loaded again after a failure', async () => {
    vi.resetModules()
    vi.doMock('#shared/messages/en/later', () => {
      throw new Error('cut off')
    })
    const { laterMessages, t } = await import('./i18n')
    await expect(laterMessages()).rejects.toThrow()
    vi.doUnmock('#shared/messages/en/later')
    await laterMessages()
    expect(t('volumes.title')).toBe(later.volumes.title)
  })
})

describe('another language', () => {
  afterEach(() => vi.resetModules())

  it('is shown from its first paint on, with its numbers and plurals', async () => {
    vi.resetModules()
    const { t, useLanguage } = await import('./i18n')
    const { formatCount } = await import('#shared/locale')
    const { first: french } = await import('#shared/messages/fr/first')
    await useLanguage('fr-CA')
    expect(document.documentElement.lang).toBe('fr-CA')
    expect(t('common.actions.cancel')).toBe(french.common.actions.cancel)
    expect(formatCount(1_234)).toBe(new Intl.NumberFormat('fr-CA').format(1_234))
  })

  it('has its later messages once English has had its own', async () => {
    vi.resetModules()
    const { laterMessages, t, useLanguage } = await import('./i18n')
    const { later: german } = await import('#shared/messages/de/later')
    await laterMessages()
    await useLanguage('de')
    expect(t('volumes.title')).toBe(german.volumes.title)
    await useLanguage('en')
    expect(t('volumes.title')).toBe(later.volumes.title)
  })

  it('that cannot be loaded leaves English texts, and is loaded by the next attempt', async () => {
    vi.resetModules()
    vi.doMock('#shared/messages/ja/first', () => {
      throw new Error('cut off')
    })
    const { t, useLanguage } = await import('./i18n')
    await expect(useLanguage('ja')).rejects.toThrow()
    expect(t('common.actions.cancel')).toBe(first.common.actions.cancel)
    vi.doUnmock('#shared/messages/ja/first')
    const { first: japanese } = await import('#shared/messages/ja/first')
    await useLanguage('ja')
    expect(t('common.actions.cancel')).toBe(japanese.common.actions.cancel)
  })

  it('that cannot be loaded after a third one leaves English texts of later messages too', async () => {
    vi.resetModules()
    vi.doMock('#shared/messages/fr/first', () => {
      throw new Error('cut off')
    })
    const { laterMessages, t, useLanguage } = await import('./i18n')
    await useLanguage('de')
    await laterMessages()
    await expect(useLanguage('fr')).rejects.toThrow()
    vi.doUnmock('#shared/messages/fr/first')
    expect(t('volumes.title')).toBe(later.volumes.title)
  })

  it('that is replaced while it loads is not shown', async () => {
    vi.resetModules()
    const { useLanguage } = await import('./i18n')
    await Promise.all([useLanguage('es'), useLanguage('en')])
    expect(document.documentElement.lang).toBe('en')
  })
})
