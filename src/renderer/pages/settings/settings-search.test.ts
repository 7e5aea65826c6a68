// @vitest-environment happy-dom
import '../../../../test/gallery/mounted'
import { describe, expect, it } from 'vitest'
import { findSettings, matchRanges } from './settings-search'
import { settingsSections } from './settings-sections'

describe('the settings that a query finds', () => {
  it('are all for an empty query', () => {
    const { sections, settings } = findSettings('  ')
    expect(sections.size).toBe(settingsSections.length)
    expect(settings.size).toBe(
      settingsSections.flatMap((section) => section.settings.map(({ id }) => id)).length,
    )
  })

  it.each([
    ['PROXY', ['network'], ['proxy']],
    ['ssh bastion', ['ssh'], ['jumpHost']],
    ['night', ['appearance', 'notifications'], ['theme', 'quietHours']],
    ['nothing of that kind', [], []],
  ])('a query %j finds settings in %j', (query, sections, settings) => {
    const found = findSettings(query)
    expect([...found.sections]).toEqual(sections)
    expect([...found.settings]).toEqual(settings)
  })

  it('are all settings of a section that only the section’s own words find', () => {
    const found = findSettings('xterm')
    expect([...found.sections]).toEqual(['terminal'])
    expect([...found.settings]).toEqual(['terminalProgram', 'terminalFont'])
  })
})

it('matches are ranges of visible text, without regard to case', () => {
  const page = document.createElement('div')
  page.innerHTML = '<p>Idle, then <b>idle</b></p><p hidden>idle</p><select><option>idle</option></select>'
  expect(matchRanges(page, ['idle', 'then']).map(String)).toEqual(['Idle', 'then', 'idle'])
})
