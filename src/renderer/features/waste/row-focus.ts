import { nextTick, watch, type Ref } from 'vue'

/**
 * Where the row that had the focus leaves its list, because what it was about is deleted, the focus goes to the row that
 * took its place, or the last one. `keys` are those of the rows; `asked` is what is asked in a dialog above them.
 */
export function useRowFocus(
  list: Readonly<Ref<HTMLElement | null>>,
  keys: () => readonly string[],
  asked: () => unknown,
) {
  let last: { readonly key: string | undefined; readonly at: number } | null = null
  const rows = () => [...(list.value?.querySelectorAll<HTMLElement>('li') ?? [])]
  const isNowhere = () => document.activeElement === null || document.activeElement === document.body

  watch(
    [() => keys().join('\n'), asked],
    () => {
      if (last?.key === undefined || keys().includes(last.key)) return
      const { at } = last
      void nextTick(() => {
        if (!isNowhere() || asked()) return
        last = null
        const row = rows()[Math.min(at, rows().length - 1)]
        const target = row?.querySelector<HTMLElement>('.end button') ?? row?.querySelector('button')
        ;(target ?? document.getElementById('page'))?.focus()
      })
    },
    { flush: 'post' },
  )
  return {
    onFocusin(event: FocusEvent): void {
      const at = rows().findIndex((row) => event.target instanceof Node && row.contains(event.target))
      last = at < 0 ? null : { key: keys()[at], at }
    },
  }
}
