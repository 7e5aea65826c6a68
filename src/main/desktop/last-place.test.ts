import { describe, expect, it } from 'vitest'
import { createLastPlace } from './last-place'

const base = 'app://wheelhouse/index.html'

describe('where the window opens', () => {
  it('is the overview at the first start, and the last page at later ones', () => {
    expect(createLastPlace('').urlOf(base)).toBe(`${base}#/overview`)
    expect(createLastPlace('/volumes').urlOf(base)).toBe(`${base}#/volumes`)
    expect(createLastPlace('nonsense').urlOf(base)).toBe(`${base}#/overview`)
  })

  it('is where one was while the application runs, and only the page of it is kept', () => {
    const last = createLastPlace('')
    last.went(`${base}#/machines/8f2b?tab=gpu`)
    expect(last.urlOf(base)).toBe(`${base}#/machines/8f2b?tab=gpu`)
    expect(last.page()).toBe('/machines')
    last.went(`${base}#/connect`)
    expect(last.page()).toBe('/machines')
  })
})
