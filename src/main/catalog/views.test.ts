import { describe, expect, it } from 'vitest'
import { machineView } from '../fleet/machine-view'
import { flavorViews, imageView, regionViews } from './views'

describe('the catalog as the window sees it', () => {
  it('completes the region of a product from its group', () => {
    const [flavor] = flavorViews([{ region: 'Oslo', region_id: 'o', products: [{ id: 'f', name: 'f' }] }])
    expect(flavor).toMatchObject({ region: { id: 'o', name: 'Oslo' }, price: null, inStock: null })
  })

  it('spells GPUs as machines do, however the service separates the words', () => {
    const products = [{ id: 'f', name: 'f', gpu: 'RTX_PRO_6000' }]
    const [flavor] = flavorViews([{ region: 'Oslo', products }])
    expect(flavor?.gpu).toBe('RTX PRO 6000')
    const { gpu } = machineView({ id: 'm', name: 'm', flavor: { gpu: ' NVIDIA  RTX_PRO_6000 96GB' } }).flavor
    expect(gpu).toBe('NVIDIA RTX PRO 6000 96GB')
  })

  it('spells each GPU in one way, with its memory, even if a region has the short name', () => {
    const gpus = (...names: readonly string[]) =>
      flavorViews(names.map((gpu) => ({ region: gpu, products: [{ id: gpu, name: 'f', gpu }] }))).map(
        ({ gpu }) => gpu,
      )
    const full = 'NVIDIA RTX PRO 6000 96GB'
    expect(gpus('RTX_PRO_6000', full, 'RTX-PRO-6000 96 GB')).toEqual([full, full, full])
    expect(gpus('H100', 'NVIDIA H100 80GB SXM')).toEqual(['NVIDIA H100 80GB SXM', 'NVIDIA H100 80GB SXM'])
    // Two long names match the short one, so it stays.
    const several = ['A100', 'A100 40GB', 'A100 80GB']
    expect(gpus(...several)).toEqual(several)
    expect(gpus('L4', 'L40S 48GB')).toEqual(['L4', 'L40S 48GB'])
  })

  it('counts a region once, even if one list lacks its id', () => {
    const flavors = flavorViews([{ region: 'Oslo', products: [{ id: 'f', name: 'f' }] }])
    const images = [imageView({ id: 'i', name: 'i', region_id: 'o', region_name: 'Oslo' })]
    expect(regionViews([], flavors, images)).toEqual([
      { id: 'o', name: 'Oslo', description: null, flavors: 1, images: 1 },
    ])
  })

  it('shows a region that has only an id', () => {
    const images = [imageView({ id: 'i', name: 'i', region_id: 'o' })]
    expect(regionViews([], [], images)).toMatchObject([{ id: 'o', name: null, images: 1 }])
  })
})
