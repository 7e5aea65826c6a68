// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { MachineDraft, PublicKeyView } from '#shared/bridge/creation'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import { emptyDraft } from './draft'
import KeyChoice from './KeyChoice.vue'

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

  it('a key without its private half on this computer shows a warning', async () => {
    await open({ keyFile: lab.path })
    expect(window.text()).toContain(t('creation.key.noPrivate'))
    window.unmount()
    await open({ keyFile: lab.path }, [{ ...lab, identityFile: '/home/anna/.ssh/lab' }])
    expect(window.text()).not.toContain(t('creation.key.noPrivate'))
  })

  it('no key is selected if the draft’s key no longer exists', async () => {
    const seen = await open({ keyFile: '/home/anna/.ssh/gone.pub' })
    expect(select(t('creation.key.pasteLabel')).value).toBe('')
    await choose(t('creation.key.pasteLabel'), lab.path)
    expect(seen).toEqual([['change', { keyFile: lab.path }]])
  })

  it('a pasted key replaces the key file', async () => {
    const seen = await open({ key: 'pasted' })
    await window.type(window.find('textarea'), lab.publicKey)
    expect(seen).toEqual([['change', { pastedKey: lab.publicKey }]])
  })
})
