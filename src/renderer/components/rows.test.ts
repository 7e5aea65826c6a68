import { describe, expect, it } from 'vitest'
import { rowFilter, rowModel, sortedBy } from './rows'

describe('the rows of a list', () => {
  const rows = [
    { id: 'a', name: 'node-10', price: null },
    { id: 'b', name: 'node-2', price: 3 },
    { id: 'c', name: 'Node-1', price: 20 },
    { id: 'd', name: 'node-2', price: 3 },
  ]
  const model = rowModel<(typeof rows)[number], 'name' | 'price'>({
    valueOf: (row, key) => row[key],
    nameOf: ({ name }) => name,
    texts: ({ name, id }) => [name, id, null],
  })
  const sorted = (key: 'name' | 'price', descending: boolean) =>
    sortedBy(rows, model, { key, descending }).map(({ id }) => id)

  it('are sorted with numbers as numbers, and missing values last in both directions', () => {
    expect(sorted('name', false)).toEqual(['c', 'b', 'd', 'a'])
    expect(sorted('price', false)).toEqual(['b', 'd', 'c', 'a'])
    expect(sorted('price', true)).toEqual(['c', 'b', 'd', 'a'])
  })

  it('match composed and decomposed Unicode alike', () => {
    for (const form of ['NFC', 'NFD'])
      for (const typedForm of ['NFC', 'NFD']) {
        const resume = { id: 'r', name: 'Résumé'.normalize(form), price: null }
        expect(rowFilter([resume], model)('résumé'.normalize(typedForm))).toEqual([resume])
      }
  })

  it('match if they contain every word', () => {
    const found = (filter: string) => rowFilter(rows, model)(filter).map(({ id }) => id)
    expect(found(' NODE 2 ')).toEqual(['b', 'd'])
    expect(found('node-2 d')).toEqual(['b', 'd'])
    expect(found('null')).toEqual([])
    expect(found('')).toHaveLength(4)
  })

  it('match while the user extends, shortens and replaces the filter', () => {
    const find = rowFilter(rows, model)
    const typed = ['n', 'node-', 'node-1', 'node-', 'node- 10', 'price', 'node-2 b']
    const found = typed.map((filter) => find(filter).map(({ id }) => id))
    expect(found).toEqual(typed.map((filter) => rowFilter(rows, model)(filter).map(({ id }) => id)))
    expect(found.map(({ length }) => length)).toEqual([4, 4, 2, 4, 1, 0, 1])
  })
})
