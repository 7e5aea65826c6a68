import { nextTick, watch, type Ref } from 'vue'
import { isFocusLost } from '../../platform/focus'

/** Moves the focus to the next or last row when the focused row is deleted. `asked`: the question of an open dialog. */
export function useRowFocus(
  list: Readonly<Ref<HTMLElement | null>>,
  keys: () => readonly string[],
  asked: () => unknown,
) {
  let last: { readonly key: string | undefined; readonly index: number } | null = null
  const rows = () => [...(list.value?.querySelectorAll<HTMLElement>('li') ?? [])]

  watch(
    [() => keys().join('\n'), asked],
    () => {
      if (last?.key === undefined || keys().includes(last.key)) return
      const { index } = last
      void nextTick(() => {
        if (!isFocusLost() || asked()) return
        last = null
        const row = rows()[Math.min(index, rows().length - 1)]
        const target = row?.querySelector<HTMLElement>('.end button') ?? row?.querySelector('button')
        ;(target ?? document.getElementById('page'))?.focus()
      })
    },
    { flush: 'post' },
  )
  return {
    onFocusin(event: FocusEvent): void {
      const index = rows().findIndex((row) => event.target instanceof Node && row.contains(event.target))
      last = index < 0 ? null : { key: keys()[index], index }
    },
  }
}
