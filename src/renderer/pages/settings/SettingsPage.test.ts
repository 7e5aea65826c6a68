// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { h } from 'vue'
import { t } from '../../platform/i18n'
import SettingsPage from './SettingsPage.vue'

let window: Mounted
let highlights: Map<string, { readonly ranges: readonly Range[] }>
beforeEach(() => {
  // happy-dom has no highlights.
  highlights = new Map()
  vi.stubGlobal('CSS', { highlights })
  vi.stubGlobal(
    'Highlight',
    class {
      readonly ranges: readonly Range[]
      constructor(...ranges: readonly Range[]) {
        this.ranges = ranges
      }
    },
  )
})
afterEach(() => {
  window.unmount()
  vi.unstubAllGlobals()
})

const searchField = (): HTMLInputElement => {
  const field = window.find(`[aria-label="${t('settings.search.label')}"]`)
  if (!(field instanceof HTMLInputElement)) throw new Error('no search field')
  return field
}
const search = (query: string) => window.type(searchField(), query)
const focused = (kind: 'section' | 'setting') =>
  document.activeElement?.closest<HTMLElement>(`[data-${kind}]`)?.dataset[kind]
const shownSections = () =>
  window
    .all('[data-section]')
    .filter(({ style }) => style.display !== 'none')
    .map(({ dataset }) => dataset.section)
const shownSettings = () =>
  window
    .all('[data-setting]')
    .filter((setting) => !setting.closest('[hidden], [style*="display: none"]'))
    .map(({ dataset }) => dataset.setting)
const links = () => window.all('nav a').map(({ textContent }) => textContent)
const marked = () => (highlights.get('settings-match')?.ranges ?? []).map(String)

it('a link with a section focuses that section', async () => {
  window = await mounted(() => h(SettingsPage))
  await window.router.push({ name: 'settings', query: { section: 'limits' } })
  await expect.poll(() => document.activeElement?.closest('[data-section]')).not.toBeNull()
  expect(document.activeElement?.closest('[data-section]')?.getAttribute('data-section')).toBe('limits')
})

it('a link with a setting focuses that setting, also when a search hides it', async () => {
  window = await mounted(() => h(SettingsPage))
  await search('proxy')
  await window.router.push({ name: 'settings', query: { section: 'notifications', setting: 'notify-idle' } })
  await expect.poll(() => focused('setting')).toBe('notify-idle')
  expect(searchField().value).toBe('')
})

describe('the search of settings', () => {
  it('shows matching settings only, and marks the words', async () => {
    window = await mounted(() => h(SettingsPage))
    await search('back in stock')
    expect(shownSections()).toEqual(['notifications'])
    expect(shownSettings()).toEqual(['notify-stock'])
    expect(links()).toEqual([t('settings.notifications.title')])
    expect(marked()).toEqual(expect.arrayContaining(['Back', 'in', 'stock']))
    await search('')
    expect(shownSections().length).toBeGreaterThan(15)
    expect(marked()).toEqual([])
  })

  it('finds a setting by a word that is not shown, and a section by its title', async () => {
    window = await mounted(() => h(SettingsPage))
    await search('autostart')
    expect(shownSettings()).toEqual(['openAtLogin'])
    await search('file transfers')
    expect(shownSettings()).toEqual(['outerLinks'])
  })

  it('offers all settings if nothing is found', async () => {
    window = await mounted(() => h(SettingsPage))
    await search('zeppelin')
    expect(shownSections()).toEqual([])
    expect(window.text()).toContain(t('settings.search.none.text', { query: 'zeppelin' }))
    await window.click(t('settings.search.none.action'))
    expect(shownSections().length).toBeGreaterThan(15)
  })
})

describe('the navigation of settings', () => {
  it('has one stop for Tab, and arrow keys move between its links', async () => {
    window = await mounted(() => h(SettingsPage))
    const all = window.all('nav a')
    expect(all.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
    all[0]?.focus()
    await window.press(window.find('nav a'), 'ArrowDown')
    expect(document.activeElement).toBe(all[1])
    await window.press(window.find('nav a'), 'End')
    expect(document.activeElement).toBe(all.at(-1))
    await window.press(window.find('nav a'), 'ArrowDown')
    expect(document.activeElement).toBe(all[0])
  })

  it('marks the section that a link opened', async () => {
    window = await mounted(() => h(SettingsPage))
    await window.router.push({ name: 'settings', query: { section: 'files' } })
    await expect
      .poll(() => window.find('nav [aria-current=location]').textContent)
      .toBe(t('settings.files.title'))
  })
})
