import { z } from 'zod'

/** However many: what is too much for one transfer is said when it is counted. */
const Paths = z.array(z.string().min(1))

/** The paths that were dropped on the window last, which are taken once. */
export function createDroppedPaths() {
  let dropped: readonly string[] = []
  return {
    /** What was dropped before is never taken in place of what is dropped now, even where that makes no sense. */
    receive(paths: unknown): void {
      dropped = Paths.safeParse(paths).data ?? []
    },
    take(): readonly string[] {
      const taken = dropped
      dropped = []
      return taken
    },
  }
}
