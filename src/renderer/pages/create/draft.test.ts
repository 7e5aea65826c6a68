import { describe, expect, it } from 'vitest'
import type { FlavorView, ImageView } from '#shared/bridge/catalog'
import type { MachineDraft } from '#shared/bridge/creation'
import {
  emptyDraft,
  fieldOfFailure,
  machineOrder,
  type Offer,
  problemsOf,
  withChosen,
  withRegion,
} from './draft'
import { draftLike } from './similar-machine'

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmKD3MyFNHnFlo8lWrUZeUd9eX2BpGBNSOwPnyGeWCV ada'
const oslo = { id: 'o', name: 'Oslo' }
const paris = { id: 'p', name: 'Paris' }
const flavor = (id: string, name: string, region = oslo, inStock = true): FlavorView => ({
  id,
  name,
  region,
  price: { currency: 'USD', millionths: 1_000_000 },
  cpu: 8,
  ram: 64,
  disk: 100,
  ephemeral: null,
  gpu: 'H100',
  gpuCount: 1,
  bandwidth: null,
  inStock,
  cycle: 'hourly',
})
const image = (id: string, name: string, region = oslo): ImageView => ({
  id,
  name,
  region,
  type: null,
  description: null,
})
const offer: Offer = {
  regions: [oslo, paris],
  flavors: [
    flavor('f1', 'h100.1x'),
    flavor('f2', 'h100.2x', oslo, false),
    flavor('f3', 'h100.1x', paris),
    flavor('f4', 'h100.2x', paris, false),
  ],
  images: [image('i1', 'Ubuntu'), image('i2', 'Ubuntu', paris), image('i3', 'Debian')],
  keys: [
    { path: '/home/ada/.ssh/id.pub', type: 'ssh-ed25519', comment: 'ada', publicKey, identityFile: null },
  ],
}
const whole: MachineDraft = {
  ...emptyDraft(),
  name: 'train',
  region: 'o',
  flavor: 'f1',
  image: 'i1',
  keyFile: '/home/ada/.ssh/id.pub',
}
const problems = (changes: Partial<MachineDraft>) => problemsOf({ ...whole, ...changes }, 'machine', offer)

describe('the form for a new machine', () => {
  it('reports every missing field', () => {
    expect(Object.keys(problemsOf(emptyDraft(), 'machine', offer)).sort()).toEqual([
      'flavor',
      'image',
      'key',
      'name',
      'region',
    ])
    expect(problems({})).toEqual({})
    expect(problemsOf(whole, 'bare-metal', offer)).toEqual({})
  })

  it('rejects a flavor or image of another region or out of stock', () => {
    expect(problems({ flavor: 'f3' })).toEqual({ flavor: 'creation.missing.flavor' })
    expect(problems({ image: 'i2' })).toEqual({ image: 'creation.missing.image' })
    expect(problems({ flavor: 'f2' })).toEqual({ flavor: 'creation.missing.flavorSoldOut' })
  })

  it('accepts only a public key and recognizes a private one', () => {
    expect(problems({ key: 'pasted', pastedKey: publicKey })).toEqual({})
    expect(problems({ key: 'pasted', pastedKey: '' })).toEqual({ key: 'creation.missing.key' })
    expect(problems({ key: 'pasted', pastedKey: 'hello' })).toEqual({ key: 'creation.key.malformed' })
    expect(problems({ key: 'pasted', pastedKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nx' })).toEqual({
      key: 'creation.key.privateKey',
    })
  })

  it('rejects a script whose values were left out', () => {
    expect(problems({ initScript: 'export HF_TOKEN=•••' })).toEqual({
      script: 'templates.plan.valuesMissing',
    })
    expect(problemsOf({ ...whole, initScript: '•••' }, 'bare-metal', offer)).toEqual({})
  })

  it('sends no image for a boot volume', () => {
    expect(problems({ boot: 'volume', volume: ' ' })).toEqual({ volume: 'creation.missing.volume' })
    const draft: MachineDraft = { ...whole, boot: 'volume', volume: ' vol-1 ' }
    expect(problemsOf(draft, 'machine', offer)).toEqual({})
    expect(machineOrder(draft, offer.keys)).toEqual({
      name: 'train',
      flavor_id: 'f1',
      ssh_key: { name: 'ada', public_key: publicKey },
      create_bootable_volume: 'true',
      volume_name: 'vol-1',
    })
  })

  it('keeps flavor and image in another region if it offers them', () => {
    expect(withRegion(whole, 'p', offer)).toMatchObject({ region: 'p', flavor: 'f3', image: 'i2' })
    expect(withRegion({ ...whole, flavor: 'f2', image: 'i3' }, 'p', offer)).toMatchObject({
      flavor: null,
      image: null,
    })
  })

  it('applies the choice from the catalog and keeps the typed fields', () => {
    const begun = withChosen({ ...whole, flavor: 'f2' }, { region: 'p', flavor: 'f3' }, offer)
    expect(begun).toMatchObject({ name: 'train', region: 'p', flavor: 'f3', image: 'i2' })
    expect(
      withChosen({ ...whole, boot: 'volume', volume: 'v' }, { region: 'o', image: 'i3' }, offer),
    ).toEqual({
      ...whole,
      image: 'i3',
    })
  })

  it('applies a flavor without a region and leaves the region open', () => {
    expect(withChosen({ ...whole, region: null, flavor: null }, { flavor: 'f1' }, offer)).toMatchObject({
      name: 'train',
      region: null,
      flavor: 'f1',
    })
  })

  it('shows a rejection at the field that it names', () => {
    const refused = (field?: string) =>
      fieldOfFailure({
        kind: 'refused-by-service',
        message: 'no',
        status: 400,
        ...(field === undefined ? {} : { field }),
      })
    expect(refused('ssh_key.public_key')).toBe('key')
    expect(refused('image_id')).toBe('image')
    expect(refused('volume_name')).toBe('volume')
    expect(refused('name')).toBe('name')
    expect(refused('mystery')).toBeNull()
    expect(refused()).toBeNull()
    expect(fieldOfFailure({ kind: 'invalid-input', field: 'machine.flavor_id', reason: 'malformed' })).toBe(
      'flavor',
    )
    expect(fieldOfFailure({ kind: 'offline' })).toBeNull()
  })
})

describe('a draft of a similar machine', () => {
  it('has the same flavor, image, region and key and the next free name', () => {
    const model = {
      name: 'train-09',
      flavor: { name: 'h100.1x', cpu: null, ram: null, disk: null, gpu: null, gpuCount: null },
      image: 'Ubuntu',
      region: 'Paris',
      keyName: 'ada',
    }
    expect(draftLike(model, offer, new Set(['train-10']))).toMatchObject({
      name: 'train-11',
      region: 'p',
      flavor: 'f3',
      image: 'i2',
      keyFile: '/home/ada/.ssh/id.pub',
    })
    const unlike = { ...model, image: 'Windows', flavor: { ...model.flavor, name: 'tpu' }, keyName: null }
    expect(draftLike(unlike, offer, new Set())).toMatchObject({ flavor: null, image: null, keyFile: null })
  })
})
