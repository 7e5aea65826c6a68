// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { Settings } from '#shared/bridge/app'
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { useTabUses } from './tab-uses'

let window: Mounted
afterEach(() => window.unmount())

async function open(tabUses: Readonly<Record<string, number>>) {
  let settings = Settings.parse({ tabUses })
  window = await mounted(() => null, {
    'settings.read': () => settings,
    'settings.change': (changed) => (settings = Settings.parse({ ...settings, ...changed })),
  })
  return { uses: useTabUses(), stored: () => settings.tabUses }
}

it('counts are stored, and the shown counts stay until the last panel closes', async () => {
  const { uses, stored } = await open({ files: 2 })
  uses.panelOpened()
  uses.panelOpened()
  uses.panelClosed()
  await uses.count('notes')
  await uses.count('files')
  expect(stored()).toEqual({ files: 3, notes: 1 })
  uses.panelOpened()
  expect(uses.shown).toEqual({ files: 2 })
  uses.panelClosed()
  uses.panelClosed()
  uses.panelOpened()
  expect(uses.shown).toEqual({ files: 3, notes: 1 })
})

it('all counts are halved when one is full', async () => {
  const { uses, stored } = await open({ files: 99, notes: 31, gpu: 1 })
  await uses.count('files')
  expect(stored()).toEqual({ files: 50, notes: 15, gpu: 0 })
})
