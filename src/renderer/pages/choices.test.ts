// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, ref } from 'vue'
import type { MachineDraft, PublicKeyView } from '#shared/bridge/creation'
import { emissions, mounted, type Mounted } from '../../../test/gallery/mounted'
import { account } from '../../../test/gallery/world'
import { t } from '../platform/i18n'
import EntriesToolbar from './billing/EntriesToolbar.vue'
import { type FilterDraft, noFilter, type TableName } from './billing/filter'
import BootChoice from './create/BootChoice.vue'
import { emptyDraft } from './create/draft'
import KeyChoice from './create/KeyChoice.vue'

let window: Mounted
afterEach(() => window.unmount())
const select = (label: string): HTMLSelectElement => {
  const found = window.find(`select[aria-label="${label}"]`)
  return found instanceof HTMLSelectElement ? found : expect.fail()
}
const values = (label: string) => [...select(label).options].map(({ value }) => value)
async function choose(label: string, value: string): Promise<void> {
  select(label).value = value
  select(label).dispatchEvent(new Event('change', { bubbles: true }))
  await window.settled()
}

describe('EntriesToolbar', () => {
  const filter = ref<FilterDraft>(noFilter)
  async function open(table: TableName, draft: FilterDraft = noFilter) {
    filter.value = draft
    const { seen, on } = emissions('refresh')
    window = await mounted(
      () =>
        h(EntriesToolbar, {
          account,
          table,
          timeZone: 'UTC',
          busy: false,
          ...on,
          seen: { status: ['odd'], type: ['licence'], charge: ['setup_fee'] },
          modelValue: filter.value,
          'onUpdate:modelValue': (next: FilterDraft) => (filter.value = next),
        }),
      { 'billing.resources': () => [] },
    )
    return seen
  }

  it('offers the values that are known, those that were met and the one that is chosen, each once', async () => {
    await open('statements', { ...noFilter, status: 'overdue', resourceType: 'vm' })
    expect(values(t('billing.filters.status'))).toEqual(['*', 'paid', 'odd', 'overdue'])
    expect(values(t('billing.filters.resourceType'))).toEqual(['*', 'vm', 'volume', 'licence'])
    expect(values(t('billing.filters.chargeType'))).toEqual(['*', 'lease_fee', 'setup_fee'])
    expect(select(t('billing.filters.status')).value).toBe('overdue')
  })

  it('asks usage for no kind of charge', async () => {
    await open('usage')
    expect(window.all(`select[aria-label="${t('billing.filters.chargeType')}"]`)).toEqual([])
  })

  it('changes one condition and keeps the others; all values is no condition', async () => {
    await open('statements', { ...noFilter, status: 'paid' })
    await choose(t('billing.filters.resourceType'), 'volume')
    expect(filter.value).toEqual({ ...noFilter, status: 'paid', resourceType: 'volume' })
    await choose(t('billing.filters.status'), '*')
    expect(filter.value).toEqual({ ...noFilter, resourceType: 'volume' })
  })

  it('shows two days for a period of dates alone, each bounded by the other', async () => {
    await open('statements')
    expect(window.all('input[type=date]')).toEqual([])
    await choose(t('billing.filters.period'), 'dates')
    const [first, last] = window.all('input[type=date]')
    if (!(first instanceof HTMLInputElement && last instanceof HTMLInputElement)) expect.fail()
    first.value = '2026-03-02'
    first.dispatchEvent(new Event('change', { bubbles: true }))
    await window.settled()
    expect(filter.value).toEqual({ ...noFilter, period: 'dates', first: '2026-03-02' })
    expect(last.min).toBe('2026-03-02')
  })

  it('can be cleared once something is filtered, and reads again when asked', async () => {
    const seen = await open('statements')
    expect(() => window.named(t('billing.filters.clear'))).toThrow()
    await choose(t('billing.filters.period'), 'month')
    await window.click(t('billing.filters.clear'))
    expect(filter.value).toEqual(noFilter)
    await window.click(t('common.actions.refresh'))
    expect(seen).toEqual([['refresh']])
  })
})

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

  it('says why there is no image to choose', async () => {
    await open()
    expect(window.text()).toContain(t('creation.boot.noImages'))
    window.unmount()
    await open({ region: null })
    expect(window.text()).toContain(t('creation.boot.chooseRegion'))
  })

  it('takes a known volume by its generated name, and any other as it is typed', async () => {
    const seen = await open({ boot: 'volume', volume: 'somewhere-else' })
    expect(select(t('creation.boot.volumeKnown')).value).toBe('')
    await choose(t('creation.boot.volumeKnown'), 'vol-1f')
    await window.type(window.find('input'), 'vol-9a')
    expect(seen).toEqual([
      ['change', { volume: 'vol-1f' }],
      ['change', { volume: 'vol-9a' }],
    ])
  })

  it('offers bare metal no volume, whatever the draft says', async () => {
    await open({ boot: 'volume' }, true)
    expect(window.all('[role=radio], input')).toEqual([])
  })
})

describe('KeyChoice', () => {
  const lab = {
    path: '/home/anna/.ssh/lab.pub',
    type: 'ssh-ed25519',
    comment: 'anna@lab',
    publicKey: 'ssh-ed25519 AAAA anna@lab',
    identityFile: null,
  }
  async function open(changes: Partial<MachineDraft> = {}, keys: readonly PublicKeyView[] = [lab]) {
    const { seen, on } = emissions('change', 'generated')
    window = await mounted(() =>
      h(KeyChoice, { draft: { ...emptyDraft(), ...changes }, keys, invalid: false, ...on }),
    )
    return seen
  }

  it('warns of a key whose private half is not here', async () => {
    await open({ keyFile: lab.path })
    expect(window.text()).toContain(t('creation.key.noPrivate'))
    window.unmount()
    await open({ keyFile: lab.path }, [{ ...lab, identityFile: '/home/anna/.ssh/lab' }])
    expect(window.text()).not.toContain(t('creation.key.noPrivate'))
  })

  it('chooses nothing where the draft’s key is gone', async () => {
    const seen = await open({ keyFile: '/home/anna/.ssh/gone.pub' })
    expect(select(t('creation.key.pasteLabel')).value).toBe('')
    await choose(t('creation.key.pasteLabel'), lab.path)
    expect(seen).toEqual([['change', { keyFile: lab.path }]])
  })

  it('takes a pasted key instead', async () => {
    const seen = await open({ key: 'pasted' })
    await window.type(window.find('textarea'), lab.publicKey)
    expect(seen).toEqual([['change', { pastedKey: lab.publicKey }]])
  })
})
