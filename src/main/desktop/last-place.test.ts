import { describe, expect, it } from 'vitest'
import { createLastPlace, hasAccount } from './last-place'

const base = 'app://wheelhouse/index.html'

describe('where the window opens', () => {
  it('is the overview at the first start, and the last page at later ones', () => {
    expect(createLastPlace('').urlOf(base, true)).toBe(`${base}#/overview`)
    expect(createLastPlace('/volumes').urlOf(base, true)).toBe(`${base}#/volumes`)
    expect(createLastPlace('nonsense').urlOf(base, true)).toBe(`${base}#/overview`)
  })

  it('is where an account is connected while there is none, and leads on to the page', () => {
    expect(createLastPlace('').urlOf(base, false)).toBe(`${base}#/connect?then=overview`)
    expect(createLastPlace('/volumes/8f2b').urlOf(base, false)).toBe(`${base}#/connect?then=volumes`)
  })

  it('takes no account for granted to be missing that the settings may name', () => {
    const sections = [undefined, { accounts: [], selected: null }, { accounts: [{ id: 'a' }] }, {}, 'damaged']
    expect(sections.map(hasAccount)).toEqual([false, false, true, true, true])
  })

  it('is where one was while the application runs, and only the page of it is kept', () => {
    const last = createLastPlace('')
    last.went(`${base}#/machines/8f2b?tab=gpu`)
    expect(last.urlOf(base, true)).toBe(`${base}#/machines/8f2b?tab=gpu`)
    expect(last.page()).toBe('/machines')
    last.went(`${base}#/connect`)
    expect(last.page()).toBe('/machines')
  })
})
