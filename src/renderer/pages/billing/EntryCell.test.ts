// @vitest-environment happy-dom
import { emissions, mounted } from '../../../../test/gallery/mounted'
import { expect, it } from 'vitest'
import { h, nextTick, ref } from 'vue'
import EntryCell from './EntryCell.vue'

it('a reused cell reports the row that came into view', async () => {
  const index = ref(3)
  const { seen, on } = emissions('look', 'lookAway')
  const row = () => ({ id: `row-${String(index.value)}`, index: index.value, entry: null })
  const window = await mounted(() => h(EntryCell, { row: row(), column: 'name', ...on }))
  index.value = 250
  await nextTick()
  window.unmount()
  expect(seen).toEqual([
    ['look', 3],
    ['lookAway', 3],
    ['look', 250],
    ['lookAway', 250],
  ])
})
