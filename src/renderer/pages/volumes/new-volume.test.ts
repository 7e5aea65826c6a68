import { describe, expect, it } from 'vitest'
import { emptyDraft, volumeOf } from './new-volume'

const good = { ...emptyDraft, name: ' data ', size: '64', region: 'r', type: 't' }

describe('the input of a new volume', () => {
  it("becomes the request's body without empty fields", () => {
    expect(volumeOf(good).volume).toEqual({ display_name: 'data', region_id: 'r', type_id: 't', size: 64 })
    expect(volumeOf({ ...good, image: 'i', description: 'd', currency: 'EUR' }).volume).toMatchObject({
      image_id: 'i',
      description: 'd',
      payment_currency: 'EUR',
    })
  })

  it.each(['1', '1048576'])('may be %s GB', (size) =>
    expect(volumeOf({ ...good, size }).volume).not.toBeNull(),
  )

  it.each(['0', '1048577', '1.5', '-1', '1e3', 'ten', ''])('may not be %j GB', (size) => {
    const { volume, wrong } = volumeOf({ ...good, size })
    expect(volume).toBeNull()
    expect(wrong.get('size')).toBe('Enter a whole number from 1 to 1,048,576.')
  })

  it('accepts a currency code in any case', () => {
    expect(volumeOf({ ...good, currency: ' usd ' }).volume?.payment_currency).toBe('USD')
    const { volume, wrong } = volumeOf({ ...good, currency: 'dollars' })
    expect([volume, wrong.get('payment_currency')]).toEqual([null, 'Enter a three-letter code, such as USD.'])
  })

  it('accepts a name of up to 50 characters and reports missing fields', () => {
    expect(volumeOf({ ...good, name: 'x'.repeat(50) }).volume).not.toBeNull()
    expect(volumeOf({ ...good, name: 'x'.repeat(51) }).wrong.get('display_name')).toBe('Up to 50 characters')
    expect([...volumeOf(emptyDraft).wrong.keys()].sort()).toEqual([
      'display_name',
      'region_id',
      'size',
      'type_id',
    ])
  })
})
