// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { MachineDraft } from '#shared/bridge/creation'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import BootChoice from './BootChoice.vue'
import { emptyDraft } from './draft'

let window: Mounted
afterEach(() => window.unmount())
const select = (label: string): HTMLSelectElement => {
  const found = window.find(`select[aria-label="${label}"]`)
  return found instanceof HTMLSelectElement ? found : expect.fail()
}
async function choose(label: string, value: string): Promise<void> {
  select(label).value = value
  select(label).dispatchEvent(new Event('change', { bubbles: true }))
  await window.settled()
}

describe('BootChoice', () => {
  const draft = { ...emptyDraft(), region: 'dallas' }
  const volumes = [{ name: 'vol-1f', label: 'Scratch' }]
  async function open(changes: Partial<MachineDraft> = {}, imagesOnly = false) {
    const { seen, on } = emissions('change')
    window = await mounted(() =>
      h(BootChoice, {
        draft: { ...draft, ...changes },
        images: [],
        volumes,
        imagesOnly,
        error: null,
        ...on,
      }),
    )
    return seen
  }

  it('a missing image choice shows its reason', async () => {
    await open()
    expect(window.text()).toContain(t('creation.boot.noImages'))
    window.unmount()
    await open({ region: null })
    expect(window.text()).toContain(t('creation.boot.chooseRegion'))
  })

  it('a known volume is sent by its generated name, and any other volume as typed', async () => {
    const seen = await open({ boot: 'volume', volume: 'somewhere-else' })
    expect(select(t('creation.boot.volumeKnown')).value).toBe('')
    await choose(t('creation.boot.volumeKnown'), 'vol-1f')
    await window.type(window.find('input'), 'vol-9a')
    expect(seen).toEqual([
      ['change', { volume: 'vol-1f' }],
      ['change', { volume: 'vol-9a' }],
    ])
  })

  it('bare metal has no choice of a volume', async () => {
    await open({ boot: 'volume' }, true)
    expect(window.all('[role=radio], input')).toEqual([])
  })
})
