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
