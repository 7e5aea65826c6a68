import { describe, expect, it } from 'vitest'
import { planFixture } from '../../../../test/fixtures/template'
import type { FlavorView, ImageView } from '#shared/bridge/catalog'
import type { PublicKeyView } from '#shared/bridge/creation'
import {
  chosenOf,
  defaultImage,
  fromCatalog,
  type Habits,
  inPlace,
  usualCreation,
  withDefaults,
  withSize,
} from './choices'
import { emptyDraft, type Offer, problemsOf } from './draft'
import { firstSize, gpuGroups, placesOf, stockOf } from './gpu-groups'

const oslo = { id: 'o', name: 'Oslo' }
const paris = { id: 'p', name: 'Paris' }
const nowhere = { id: null, name: null }
const flavor = (name: string, changes: Partial<FlavorView> = {}): FlavorView => ({
  id: `${name}@${changes.region?.id ?? 'o'}`,
  name,
  region: oslo,
  cpu: 8,
  ram: 64,
  disk: 100,
  price: { currency: 'USD', millionths: 2_000_000 },
  ephemeral: null,
  gpu: 'H100',
  gpuCount: 1,
  bandwidth: null,
  inStock: true,
  cycle: 'hourly',
  ...changes,
})
const priced = (millionths: number) => ({ currency: 'USD', millionths })
const image = (name: string, region = oslo, type: string | null = null): ImageView => ({
  id: `${name}@${region.id}`,
  name,
  region,
  type,
  description: null,
})
const key = (name: string): PublicKeyView => ({
  path: `/home/ada/.ssh/${name}.pub`,
  type: 'ssh-ed25519',
  comment: null,
  publicKey: `ssh-ed25519 AAAA ${name}`,
  identityFile: null,
})
const offer: Offer = {
  regions: [oslo, paris],
  flavors: [
    flavor('h100.1x'),
    flavor('h100.1x', { region: paris, price: priced(1_500_000) }),
    flavor('l40s.1x', { gpu: 'L40S' }),
    flavor('l40s.1x', { gpu: 'L40S', region: paris }),
    flavor('a100.1x', { gpu: 'A100', inStock: false }),
    flavor('a100.1x', { gpu: 'A100', region: paris, price: priced(9_000_000) }),
  ],
  images: [image('Debian 12'), image('Ubuntu 24.04'), image('Ubuntu 22.04'), image('Ubuntu 22.04', paris)],
  keys: [key('id')],
}
const nothing: Habits = { last: undefined, names: new Set() }
const used = (changes: Partial<NonNullable<Habits['last']>>): Habits => ({
  names: new Set(['h100-1']),
  last: {
    name: 'train',
    image: null,
    region: null,
    keyName: null,
    ...changes,
    flavor: { name: null, cpu: null, ram: null, disk: null, gpu: null, gpuCount: null },
  },
})
const take = (model: string, from = emptyDraft(), habits = nothing, isKept = false, of = offer) => {
  const group = gpuGroups(of.flavors).find((one) => one.model === model)
  const size = group && firstSize(group)
  if (!size) expect.fail()
  const before = chosenOf(from, gpuGroups(of.flavors), of).group
  return withSize(from, { size, before }, of, habits, isKept)
}

describe('the GPUs of a catalog', () => {
  const modelsOf = (...gpus: readonly string[]) =>
    gpuGroups(gpus.map((gpu, at) => flavor(String(at), { gpu }))).map(({ model, memory }) => [model, memory])

  it('completes a short name if only one longer name matches', () => {
    expect(modelsOf('H100', 'NVIDIA H100 80GB SXM')).toEqual([['H100 SXM', 80]])
    expect(modelsOf('RTX_PRO_6000', 'NVIDIA RTX PRO 6000 96GB')).toEqual([['RTX PRO 6000', 96]])
    expect(modelsOf('NVIDIA-A100-SXM4-40GB', 'A100 80 GB', 'A100')).toHaveLength(3)
    expect(modelsOf('H100 80GB PCIe', 'H100 80GB SXM5')).toHaveLength(2)
    expect(modelsOf('80GB')).toEqual([['80GB', null]])
  })

  it('are grouped for 200 flavors, one and none, and for flavors without a reported GPU', () => {
    expect(gpuGroups([])).toEqual([])
    expect(gpuGroups([flavor('one')])).toMatchObject([{ kind: 'gpu', counts: [1], sizes: [{}] }])
    const many = Array.from({ length: 200 }, (_, at) =>
      flavor(`f${String(at)}`, { gpu: `G${String(at % 9)}` }),
    )
    expect(gpuGroups(many).map(({ sizes }) => sizes.length)).toEqual([23, 23, 22, 22, 22, 22, 22, 22, 22])
    const odd = [flavor('c', { gpu: null, gpuCount: 0 }), flavor('u', { gpu: null, gpuCount: null })]
    expect(gpuGroups(odd).map(({ kind }) => kind)).toEqual(['unknown', 'no-gpu'])
  })

  it('count the regions in stock, or report unknown stock', () => {
    const [first] = gpuGroups(offer.flavors.filter(({ gpu }) => gpu === 'A100'))
    expect(stockOf(first?.sizes[0]?.offers ?? [])).toEqual({ kind: 'in-stock', regions: 1, total: 2 })
    expect(stockOf([flavor('a', { region: nowhere, inStock: null })])).toMatchObject({
      kind: 'unknown',
      total: 0,
    })
  })
})

describe('the defaults of a GPU', () => {
  it('are the cheapest region in stock, its newest image, the only key and a free name', () => {
    const draft = take('H100')
    expect(draft).toMatchObject({ flavor: 'h100.1x@p', region: 'p', image: 'Ubuntu 22.04@p', name: 'h100-1' })
    expect(draft.keyFile).toBe('/home/ada/.ssh/id.pub')
    expect(take('A100')).toMatchObject({ region: 'p' })
  })

  it('prefer the region of the newest machine at the same price', () => {
    expect(take('L40S')).toMatchObject({ region: 'o' })
    expect(take('L40S', emptyDraft(), used({ region: 'Paris' }))).toMatchObject({ region: 'p' })
    expect(take('H100', emptyDraft(), used({ region: 'Oslo' }))).toMatchObject({
      region: 'p',
      name: 'h100-2',
    })
  })

  it('keep the region that the user chose unless it is sold out', () => {
    const inOslo = { ...emptyDraft(), region: 'o' }
    expect(take('H100', inOslo, nothing, true)).toMatchObject({ region: 'o' })
    expect(take('A100', inOslo, nothing, true)).toMatchObject({ region: 'p' })
  })

  it('keep a typed name and replace a suggested one', () => {
    const first = take('H100')
    expect(take('L40S', first)).toMatchObject({ name: 'l40s-1' })
    expect(take('L40S', { ...first, name: 'mine', volume: 'vol' })).toMatchObject({
      name: 'mine',
      volume: 'vol',
    })
  })

  it('replace a suggested name after a choice in the catalog', () => {
    const wanted = { region: 'o', flavor: 'l40s.1x@o' }
    expect(fromCatalog(take('H100'), wanted, offer)).toMatchObject({ ...wanted, name: '' })
  })

  it('begin a draft of their own if the stored one has input of the user', () => {
    const stored = take('H100')
    const wanted = { region: 'o', flavor: 'l40s.1x@o' }
    for (const typed of [{ name: 'mine' }, { initScript: 'make' }, { plan: planFixture() }]) {
      const begun = fromCatalog({ ...stored, ...typed }, wanted, offer)
      expect(begun).toMatchObject({ ...wanted, name: '', initScript: '' })
      expect([begun.plan, begun.request === stored.request]).toEqual([undefined, false])
    }
    expect(fromCatalog(stored, wanted, offer).request).toBe(stored.request)
    expect(fromCatalog({ ...stored, name: 'mine', flavor: wanted.flavor }, wanted, offer).name).toBe('mine')
    const image = fromCatalog({ ...stored, name: 'mine' }, { region: 'o', image: 'i2' }, offer)
    expect(image).toMatchObject({ request: stored.request, name: 'mine', image: 'i2' })
  })

  it('work without regions', () => {
    const flavors = [flavor('h100.1x', { region: nowhere, inStock: null })]
    const flat: Offer = {
      ...offer,
      regions: [],
      flavors,
      images: [{ ...image('Debian 12'), region: nowhere }],
    }
    const draft = { ...take('H100', emptyDraft(), nothing, false, flat), key: 'pasted' as const }
    expect(draft).toMatchObject({ region: null, flavor: 'h100.1x@o', image: 'Debian 12@o' })
    expect(Object.keys(problemsOf(draft, 'machine', flat))).toEqual(['key'])
  })

  it('move to another region and choose its image', () => {
    const draft = { ...take('L40S'), image: 'Debian 12@o' }
    const [, there] = placesOf({ offers: offer.flavors.filter(({ gpu }) => gpu === 'L40S') }, offer.regions)
    const size = chosenOf(draft, gpuGroups(offer.flavors), offer).size
    if (!size || !there) expect.fail()
    expect(inPlace(draft, there.key, size, offer, nothing)).toMatchObject({
      region: 'p',
      flavor: 'l40s.1x@p',
      image: 'Ubuntu 22.04@p',
    })
  })

  it('leave ambiguous choices to the user and never replace a choice', () => {
    const keys = [key('a'), key('b')]
    expect(withDefaults(emptyDraft(), { ...offer, keys }, nothing).keyFile).toBeNull()
    expect(withDefaults(emptyDraft(), { ...offer, keys }, used({ keyName: 'b' })).keyFile).toMatch(/b\.pub$/)
    expect(withDefaults(emptyDraft(), offer, nothing)).toMatchObject({ flavor: null, image: null, name: '' })
    const stale = { ...take('H100'), image: 'gone' }
    expect(withDefaults(stale, offer, nothing).image).toBe('gone')
  })
})

describe('the default image', () => {
  it('is the last used image, else the newest version of the most common system', () => {
    const images = [
      'Rocky 9',
      'Ubuntu 22.04 CUDA 12.9',
      'Ubuntu 24.04 CUDA 12.8',
      'Ubuntu 24.10',
      'Debian 12',
    ]
    const all = images.map((name) => image(name))
    expect(defaultImage(all, 'Debian 12')?.name).toBe('Debian 12')
    expect(defaultImage(all, 'Windows')?.name).toBe('Ubuntu 24.10')
    expect(defaultImage(all.slice(0, 3), null)?.name).toBe('Ubuntu 24.04 CUDA 12.8')
    expect(defaultImage([image('a 1'), image('a 1.2')], null)?.name).toBe('a 1.2')
    expect(defaultImage([], 'Debian 12')).toBeUndefined()
    const [plain, longer] = [image('Ubuntu 24.04 LTS'), image('Ubuntu 24.04 LTS CUDA 12.8')]
    const inEachOrder = [defaultImage([plain, longer], null), defaultImage([longer, plain], null)]
    expect(inEachOrder).toEqual([longer, longer])
  })
})

describe('the usual duration of a creation', () => {
  const life = (name: string | null, createdAt: number | null, startedAt: number | null) => ({
    flavor: { name },
    createdAt,
    startedAt,
  })
  it('is the median of the account’s machines, of the same flavor if possible', () => {
    const lives = [life('a', 100, 160), life('a', 100, 400), life('a', 100, 220), life('b', 100, 140)]
    expect(usualCreation(lives, 'a')).toBe(120)
    expect(usualCreation(lives, 'b')).toBe(40)
    expect(usualCreation(lives, null)).toBe(120)
    expect(usualCreation([life('a', 100, 90_000), life('a', null, 5), life('a', 7, null)], 'a')).toBeNull()
  })
})
