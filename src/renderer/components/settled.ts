import { onUnmounted, type Ref, ref } from 'vue'

/** Milliseconds until a click counts in a dialog that opens by itself: a double click on an earlier dialog must not. */
const settlingMs = 700

/** Returns whether the component has been on screen long enough to take a click. */
export function useSettled(): Readonly<Ref<boolean>> {
  const isSettled = ref(false)
  const settling = setTimeout(() => (isSettled.value = true), settlingMs)
  onUnmounted(() => clearTimeout(settling))
  return isSettled
}
