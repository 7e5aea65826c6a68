import type { NetworkInterfaceInfo } from 'node:os'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { Clock } from './clock'

/** State of the computer's network, and when to retry after an outage. */
export interface Network {
  online(): boolean
  /** Emitted when the network is back or the computer's addresses have changed. */
  readonly onBack: Subscribe<null>
}

export interface NetworkDeps {
  readonly clock: Clock
  online(): boolean
  interfaces(): Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>
}

const pollSeconds = 3

/** Polls the network while it has listeners, so that it works without a window and costs nothing without listeners. */
export function createNetwork({ clock, online, interfaces }: NetworkDeps): Network {
  const back = createEmitter<null>()
  let listeners = 0
  let before: string | null = null
  let cancel = (): void => undefined

  /** Returns the external addresses, or null without a network. Link-local addresses come and go with containers. */
  function addresses(): string | null {
    if (!online()) return null
    let all: readonly NetworkInterfaceInfo[]
    try {
      all = Object.values(interfaces()).flatMap((list) => list ?? [])
    } catch {
      // Confined programs may not read the addresses; there is a network all the same.
      return ''
    }
    const external = all.filter(({ internal, address }) => !internal && !/^fe80:|^169\.254\./i.test(address))
    if (external.length === 0) return null
    return external
      .map(({ address }) => address)
      .toSorted()
      .join(' ')
  }
  function look(): void {
    const now = addresses()
    const isBack = now !== null && now !== before
    before = now
    cancel = clock.after(pollSeconds, look)
    if (isBack) back.emit(null)
  }

  return {
    online,
    onBack(listener) {
      if (listeners === 0) {
        before = addresses()
        cancel = clock.after(pollSeconds, look)
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
