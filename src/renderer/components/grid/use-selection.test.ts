import { describe, expect, it } from 'vitest'
import { computed, nextTick, ref } from 'vue'
import { allOf } from './selection'
import { useSelection } from './use-selection'

const ids = ['a', 'b', 'c', 'd']
function open() {
  const all = ref(ids.map((id) => ({ id })))
  const hidden = ref<readonly string[]>([])
  const account = ref<string | null>('lab')
  const shown = computed(() => all.value.filter(({ id }) => !hidden.value.includes(id)))
  const list = useSelection(account, shown, (id) => all.value.find((row) => row.id === id))
  const chosen = () => list.chosen.value.map(({ id }) => id)
  return { all, hidden, account, ...list, chosen }
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

  it('drops removed rows without counting them, and all rows with the account', async () => {
    const { select, all, account, chosen, released } = open()
    select(allOf(ids))
    all.value = all.value.filter(({ id }) => id !== 'a')
    await nextTick()
    expect([chosen(), released.value]).toEqual([['b', 'c', 'd'], 0])
    account.value = 'uni'
    await nextTick()
    expect(chosen()).toEqual([])
  })
})
