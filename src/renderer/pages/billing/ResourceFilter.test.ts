// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import ResourceFilter from './ResourceFilter.vue'

let window: Mounted
afterEach(() => window.unmount())

describe('ResourceFilter', () => {
  const resource = (id: string, name: string) => ({ id, name, type: 'vm', ended: null })
  const known = [
    resource('vm-000001', 'node'),
    resource('vm-000002', 'node'),
    resource('vm-000003', texts.html),
  ]
  const open = async (free: boolean) => {
    const { seen, on } = emissions('choose')
    window = await mounted(() => h(ResourceFilter, { account, resource: null, name: '', free, ...on }), {
      'billing.resources': () => known,
    })
    return { seen, input: window.find('input') }
  }
  const take = async (input: HTMLElement, text: string) => {
    await window.type(input, text)
    await window.press(input, 'Enter')
  }

  it('an id or a unique name selects a resource', async () => {
    const { seen, input } = await open(false)
    await take(input, 'VM-000002')
    expect(seen).toEqual([['choose', known[1], '']])
    await take(input, texts.html)
    expect(seen.at(-1)).toEqual(['choose', known[2], ''])
  })

  it('an unknown or ambiguous name shows an error', async () => {
    const { seen, input } = await open(false)
    await take(input, 'node')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      t('billing.filters.resourceUnknown'),
    )
    expect(seen).toEqual([])
  })

  it('a part of a name filters if the service can search', async () => {
    const { seen, input } = await open(true)
    await take(input, 'nod')
    expect(seen).toEqual([['choose', null, 'nod']])
  })
})
