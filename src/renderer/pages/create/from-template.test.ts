import { describe, expect, it } from 'vitest'
import type { VolumeView } from '#shared/bridge/volume'
import { flavorFixture } from '../../../../test/fixtures/flavor'
import { templateFixture } from '../../../../test/fixtures/template'
import {
  draftFromTemplate,
  isAttachable,
  missingOf,
  openChoicesOf,
  otherVolumes,
  templateOfDraft,
} from './from-template'
import type { Offer } from './draft'

const oslo = { id: 'o', name: 'Oslo' }
const offer: Offer = {
  regions: [oslo, { id: 'p', name: 'Paris' }],
  flavors: [flavorFixture({ id: 'h100.8x@o' })],
  images: [{ id: 'i', name: 'Ubuntu 24.04', region: oslo, type: null, description: null }],
  keys: [
    {
      path: '/home/ada/.ssh/lab.pub',
      type: 'ssh-ed25519',
      comment: 'lab',
      publicKey: 'ssh-ed25519 AAAA lab',
      identityFile: null,
    },
  ],
}
const volume = (id: string, changes: Partial<VolumeView> = {}): VolumeView => ({
  id,
  displayName: `volume ${id}`,
  name: id,
  size: 100,
  region: oslo,
  status: 'available',
  bootable: false,
  currency: null,
  createdAt: null,
  description: null,
  attachment: { kind: 'detached' },
  settling: false,
  more: [],
  ...changes,
})
const none = new Set<string>()

describe('a form from a template', () => {
  it('has the template’s choices, by their names in this account', () => {
    expect(draftFromTemplate(templateFixture(), offer, none)).toMatchObject({
      name: 'train-1',
      flavor: 'h100.8x@o',
      region: 'o',
      image: 'i',
      keyFile: '/home/ada/.ssh/lab.pub',
      initScript: '#!/bin/bash\napt-get update\n',
    })
  })

  it.each([
    ['nothing', {}, []],
    ['no image', { image: null }, ['image']],
    ['no key', { key: null }, ['key']],
    ['a boot volume', { image: null, volume: 'disk' }, ['bootVolume']],
  ] as const)('names the choices to look at: %s', (_, changes, open) => {
    expect(openChoicesOf(draftFromTemplate(templateFixture(changes), offer, none))).toEqual(open)
  })

  it('arms no end and allows no SSH', () => {
    const { plan } = draftFromTemplate(templateFixture(), offer, none)
    expect(plan).toMatchObject({ isEndArmed: false, isSshAllowed: false, commands: 'python train.py' })
    expect(plan?.end).not.toBeNull()
  })

  it('takes the next free name', () => {
    expect(draftFromTemplate(templateFixture(), offer, new Set(['train-1'])).name).toBe('train-2')
  })

  it('names missing offers, and chooses nothing instead', () => {
    const template = templateFixture({ flavor: 'gb200.4x', image: 'Arch', key: 'other' })
    const draft = draftFromTemplate(template, offer, none)
    expect(draft).toMatchObject({ flavor: null, image: '', keyFile: '' })
    expect(missingOf(draft, offer, [])).toEqual([
      { part: 'flavor', name: 'gb200.4x' },
      { part: 'image', name: 'Arch' },
      { part: 'key', name: 'other' },
    ])
    expect(missingOf({ ...draft, flavor: 'h100.8x@o', image: 'i' }, offer, [])).toEqual([
      { part: 'key', name: 'other' },
    ])
  })

  it('names a region and a bootable volume that the account lacks', () => {
    const template = templateFixture({ region: 'Atlantis', image: null, volume: 'root-1' })
    const draft = draftFromTemplate(template, offer, none)
    expect(draft).toMatchObject({ boot: 'volume', volume: 'root-1', image: null })
    const parts = (volumes: readonly VolumeView[] | null) =>
      missingOf(draft, offer, volumes).map(({ part }) => part)
    expect(parts([volume('other')])).toEqual(['flavor', 'region', 'volume'])
    expect(parts([])).toEqual(['flavor', 'region', 'volume'])
    expect(parts([volume('root-1')])).toEqual(['flavor', 'region'])
    expect(parts(null)).toEqual(['flavor', 'region'])
  })

  it('offers free volumes in place of a missing one', () => {
    const { plan } = draftFromTemplate(templateFixture(), offer, none)
    const volumes = [
      volume('v-2'),
      volume('v-3', { attachment: { kind: 'attached', machine: 'm' } }),
      volume('v-4', { bootable: true }),
    ]
    expect(isAttachable('v-1', volumes)).toBe(false)
    expect(plan && otherVolumes(plan, volumes)).toEqual([{ id: 'v-2', name: 'volume v-2' }])
  })
})

describe('a template from a form', () => {
  it('has the form’s choices by name, and the work after the creation', () => {
    const { id: _, ...content } = templateFixture()
    const draft = draftFromTemplate(templateFixture(), offer, none)
    expect(templateOfDraft(draft, offer)).toMatchObject(content)
  })

  it('keeps the names of a template that the account lacks', () => {
    const template = templateFixture({ flavor: 'gb200.4x' })
    expect(templateOfDraft(draftFromTemplate(template, offer, none), offer).flavor).toBe('gb200.4x')
  })
})
