import { z } from 'zod'

/** Paths of any number: a transfer reports its own limit when it counts the files. */
const Paths = z.array(z.string().min(1))

/** Stores the paths of the last drop until they are read once. */
export function createDroppedPaths() {
  let dropped: readonly string[] = []
  return {
    /** Replaces the previous drop, even if the new one is malformed. */
    receive(paths: unknown): void {
      dropped = Paths.safeParse(paths).data ?? []
    },
    take(): readonly string[] {
      const paths = dropped
      dropped = []
      return paths
    },
  }
}
