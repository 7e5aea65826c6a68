import { expect, it } from 'vitest'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { makeStore } from '../../../test/fixtures/store'
import type { Store } from './database'

const cacheOf = (store: Store): unknown => store.file()?.prepare('PRAGMA cache_size').get()?.cache_size

it('the page cache is smaller without a window', async () => {
  const secrets = memorySecrets()
  const { folder, store } = makeStore({ secrets })
  await store.open()
  expect(cacheOf(store)).toBe(-16_000)
  store.windowChanged(false)
  expect(cacheOf(store)).toBe(-1_000)
  store.windowChanged(true)
  expect(cacheOf(store)).toBe(-16_000)
  await store.close()

  const { store: closed } = makeStore({ folder, secrets })
  closed.windowChanged(false)
  await closed.open()
  expect(cacheOf(closed)).toBe(-1_000)
  await closed.close()
  closed.windowChanged(true)
})
