import { describe, expect, it } from 'vitest'
import { createLastPlace, hasAccount } from './last-place'

const base = 'app://wheelhouse/index.html'

describe('the first page of the window', () => {
  it('is the overview at the first start, then the last page', () => {
    expect(createLastPlace('').urlOf(base, true)).toBe(`${base}#/overview`)
    expect(createLastPlace('/volumes').urlOf(base, true)).toBe(`${base}#/volumes`)
    expect(createLastPlace('nonsense').urlOf(base, true)).toBe(`${base}#/overview`)
  })

  it('is the connect page without an account, followed by the last page', () => {
    expect(createLastPlace('').urlOf(base, false)).toBe(`${base}#/connect?then=overview`)
    expect(createLastPlace('/volumes/8f2b').urlOf(base, false)).toBe(`${base}#/connect?then=volumes`)
  })

  it('is not the connect page if the settings may contain an account', () => {
    const sections = [undefined, { accounts: [], selected: null }, { accounts: [{ id: 'a' }] }, {}, 'damaged']
    expect(sections.map(hasAccount)).toEqual([false, false, true, true, true])
  })

  it('is the whole last address while the application runs, and only its page after a restart', () => {
    const last = createLastPlace('')
    last.navigated(`${base}#/machines/8f2b?tab=gpu`)
    expect(last.urlOf(base, true)).toBe(`${base}#/machines/8f2b?tab=gpu`)
    expect(last.page()).toBe('/machines')
    last.navigated(`${base}#/connect`)
    expect(last.page()).toBe('/machines')
  })
})
