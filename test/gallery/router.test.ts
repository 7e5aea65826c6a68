// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { Router } from 'vue-router'
import { router } from '../../src/renderer/app/router'
import { createPlaces } from './router'

const placesOf = (one: Router) =>
  one
    .getRoutes()
    .flatMap(({ name, path }) => (name === undefined ? [] : [`${String(name)} ${path}`]))
    .toSorted()

it('mounted components can open every route of the application', () => {
  expect(placesOf(createPlaces())).toEqual(placesOf(router))
})
