import { describe, expect, it } from 'vitest'
import { findResource, resourceChoices } from './resource-choice'

const resource = (id: string, name: string | null, type = 'vm') => ({ id, name, type, ended: false })
const known = [
  resource('aaaaaa1111', 'train-10'),
  resource('bbbbbb2222', 'train-2'),
  resource('cccccc3333', 'train-2', 'volume'),
  resource('dddddd4444', null),
]
const choices = resourceChoices(known, (type) => type ?? '')
const find = (text: string) => findResource(known, choices, text)?.id

describe('the choice of a resource', () => {
  it('distinguishes resources of the same name and sorts numbers as numbers', () => {
    expect([...choices.values()]).toEqual([
      'dddddd4444',
      'train-2 · vm bb2222',
      'train-2 · volume cc3333',
      'train-10',
    ])
  })

  it('is found by its label, its id or a unique name', () => {
    expect(find('Train-10')).toBe('aaaaaa1111')
    expect(find('train-2 · volume cc3333')).toBe('cccccc3333')
    expect(find('DDDDDD4444')).toBe('dddddd4444')
    expect(find('train-2')).toBeUndefined()
    expect(find('train')).toBeUndefined()
  })
})
