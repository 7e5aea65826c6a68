import { describe, expect, it } from 'vitest'
import { computed, nextTick, ref } from 'vue'
import { allOf } from './selection'
import { useSelection } from './use-selection'

const ids = ['a', 'b', 'c', 'd']
function open() {
  const all = ref(ids.map((id) => ({ id })))
  const hidden = ref<readonly string[]>([])
  const isKnown = ref(true)
  const shown = computed(() => all.value.filter(({ id }) => !hidden.value.includes(id)))
  const list = useSelection(shown, (id) => all.value.find((row) => row.id === id), isKnown)
  const chosen = () => list.chosen.value.map(({ id }) => id)
  return { all, hidden, isKnown, ...list, chosen }
}

describe('a selection', () => {
  it('contains only shown rows and counts the rows that the filter deselected', async () => {
    const { select, hidden, chosen, released } = open()
    select(allOf(ids))
    hidden.value = ['b', 'd']
    expect(chosen()).toEqual(['a', 'c'])
    await nextTick()
    expect(released.value).toBe(2)
    hidden.value = ['a', 'b', 'd']
    await nextTick()
    expect(released.value).toBe(3)
    hidden.value = []
    await nextTick()
    expect(chosen()).toEqual(['c'])
    select(allOf(['a']))
    expect(released.value).toBe(0)
  })

  it('drops removed rows without counting them', async () => {
    const { select, all, chosen, released } = open()
    select(allOf(ids))
    all.value = all.value.filter(({ id }) => id !== 'a')
    await nextTick()
    expect([chosen(), released.value]).toEqual([['b', 'c', 'd'], 0])
  })

  it('waits for the rows of an earlier visit until the list is known', async () => {
    const list = open()
    list.isKnown.value = false
    list.all.value = []
    list.ids.value = ['b', 'gone']
    await nextTick()
    list.all.value = [{ id: 'a' }, { id: 'b' }]
    await nextTick()
    expect([list.chosen(), list.ids.value]).toEqual([['b'], ['b', 'gone']])
    list.isKnown.value = true
    await nextTick()
    expect([list.chosen(), list.ids.value, list.released.value]).toEqual([['b'], ['b'], 0])
  })
})
