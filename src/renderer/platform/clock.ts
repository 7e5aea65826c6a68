import { computed, onScopeDispose, ref, type ComputedRef, type Ref } from 'vue'

const epochSeconds = (): number => Math.floor(Date.now() / 1000)

const now = ref(epochSeconds())
const minute = computed(() => Math.floor(now.value / 60) * 60)
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now.value = epochSeconds()
}

function join(): void {
  watchers += 1
  if (watchers === 1) {
    tick()
    timer = setInterval(tick, 1000)
  }
  onScopeDispose(() => {
    watchers -= 1
    if (watchers === 0) clearInterval(timer)
  })
}

/** Returns the time in epoch seconds. All callers share one timer, which Chromium pauses while the window is hidden. */
export function useNow(): Readonly<Ref<number>> {
  join()
  return now
}

/** Returns the start of the current minute, for long lists that should not render every second. */
export function useMinute(): ComputedRef<number> {
  join()
  return minute
}
