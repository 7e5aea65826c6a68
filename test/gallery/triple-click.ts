import { afterEach, beforeEach } from 'vitest'
import { guardClicks } from '../../src/renderer/platform/click-guard'
import type { Mounted } from './mounted'

/** Installs the guard against repeated clicks for each test of a file. */
export function withClickGuard(): void {
  let endGuard: () => void
  beforeEach(() => (endGuard = guardClicks(document)))
  afterEach(() => endGuard())
}

/** Clicks three times at the place of an element and waits after each click. The element may disappear. */
export async function tripleClick(window: Mounted, target: HTMLElement): Promise<void> {
  for (const detail of [1, 2, 3]) {
    const place = target.isConnected ? target : document.body
    for (const type of ['mousedown', 'mouseup', 'click'])
      place.dispatchEvent(new MouseEvent(type, { detail, bubbles: true, cancelable: true }))
    await window.settled()
  }
}

/** Returns the number of calls of a name. */
export const callCount = (window: Mounted, name: string): number =>
  window.main.calls.filter(([called]) => called === name).length
