// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { CallInput } from '#shared/bridge/index'
import type { PendingVolume } from '#shared/bridge/volume'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CreateVolumeDialog from './CreateVolumeDialog.vue'

let window: Mounted
afterEach(() => window.unmount())
const oslo = { id: 'o', name: 'Oslo' }
const sentAt = Math.floor(Date.now() / 1000) - 7_270
const nameless = t('creation.nameUnknown')

describe('CreateVolumeDialog', () => {
  const pending = (name: string, request = 'theirs'): PendingVolume => ({
    id: 'p1',
    request,
    account,
    name,
    region: 'o',
    size: 500,
    sentAt,
    state: 'unknown',
    cause: null,
  })
  const sent: CallInput<'volumes.create'>[] = []
  const open = async () => {
    sent.length = 0
    const { seen, on } = emissions('created', 'close')
    window = await mounted(() => h(CreateVolumeDialog, { account, ...on }), {
      'catalog.regions': () => ({
        asOf: 1,
        items: [{ ...oslo, flavors: 1, flavorsInStock: 1, images: 1, description: null }],
      }),
      'catalog.images': () => ({ asOf: 1, items: [] }),
      'volumes.types': () => ({ offered: true, items: [{ id: 't', name: 'Cloud-SSD' }] }),
      'volumes.pendingCreations': ({ names = [] }) => [pending(names[0] ?? nameless)],
      'volumes.create': (order) => {
        sent.push(order)
        if (order.again.includes('p1')) return { kind: 'unknown', failure: { kind: 'offline' } }
        throw new FailureError({
          kind: 'invalid-input',
          field: 'volume.display_name',
          reason: 'outcome-open',
        })
      },
    })
    const [name, size] = window.all('dialog input')
    const [region] = window.all('dialog select')
    if (!name || !size || !(region instanceof HTMLSelectElement)) expect.fail()
    region.value = 'o'
    region.dispatchEvent(new Event('change', { bubbles: true }))
    await window.settled()
    await window.type(name, 'mine')
    await window.type(size, '10')
    await window.submit()
    return { seen, name }
  }

  it('the form asks about an earlier creation that matches by the hash of its name, and sends another on request', async () => {
    await open()
    expect(sent.map(({ again }) => again)).toEqual([[]])
    const text = window.find('[role=alert]').textContent
    for (const known of ['mine', '500 GB', 'Oslo', '2 h']) expect(text).toContain(known)
    await window.click(t('volumes.form.sendAgain'))
    expect(sent.map(({ again }) => again)).toEqual([[], ['p1']])
  })

  it('the form reports the volume of its own request even if the name field changed', async () => {
    const { seen, name } = await open()
    const [{ request } = { request: '' }] = sent
    await window.type(name, 'theirs')
    const found = [
      { id: 'v-theirs', name: 'theirs', request: 'theirs' },
      { id: 'v-mine', name: 'mine', request },
    ]
    window.main.emit('volumes.pendingCreationsChanged', { account: 'abcdefghij99', pending: [], found })
    await window.settled()
    expect(seen).toEqual([])
    window.main.emit('volumes.pendingCreationsChanged', { account, pending: [], found })
    await window.settled()
    expect(seen).toEqual([['created', 'v-mine']])
  })
})
