import type { NetworkInterfaceInfo } from 'node:os'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { Clock } from './clock'

/** Whether the computer has a network, and when what waits for one should try again. */
export interface Network {
  online(): boolean
  /** Emitted when the computer has a network again, or other addresses than before. */
  readonly onBack: Subscribe<null>
}

export interface NetworkDeps {
  readonly clock: Clock
  online(): boolean
  /** As os.networkInterfaces. */
  interfaces(): Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>
}

/** Seconds between two looks at the network. */
const lookEvery = 3

/** Looks at the network by itself while anything listens, so that it works without a window, and costs nothing otherwise. */
export function createNetwork({ clock, online, interfaces }: NetworkDeps): Network {
  const back = createEmitter<null>()
  let listeners = 0
  let before: string | null = null
  let cancel = (): void => undefined

  /** The addresses that lead elsewhere; null: there is no network. Link-local ones come and go with containers. */
  function addresses(): string | null {
    if (!online()) return null
    let all: readonly NetworkInterfaceInfo[]
    try {
      all = Object.values(interfaces()).flatMap((found) => found ?? [])
    } catch {
      // A system that keeps them from confined programs: all that is known is that there is a network.
      return ''
    }
    const outward = all.filter(({ internal, address }) => !internal && !/^fe80:|^169\.254\./i.test(address))
    if (outward.length === 0) return null
    return outward
      .map(({ address }) => address)
      .toSorted()
      .join(' ')
  }
  function look(): void {
    const now = addresses()
    const isBack = now !== null && now !== before
    before = now
    cancel = clock.after(lookEvery, look)
    if (isBack) back.emit(null)
  }

  return {
    online,
    onBack(listener) {
      if (listeners === 0) {
        before = addresses()
        cancel = clock.after(lookEvery, look)
      }
      listeners += 1
      const remove = back.on(listener)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        remove()
        listeners -= 1
        if (listeners === 0) cancel()
      }
    },
  }
}
