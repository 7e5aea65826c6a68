import { z } from 'zod'

/** However many: what is too much for one transfer is said when it is counted. */
const Paths = z.array(z.string().min(1))

/** Takes the paths of what the person drops on the window. The returned function gives the last of them, once. */
export function hostDroppedFiles<Event>(
  listen: (receive: (event: Event, paths: unknown) => void) => void,
  isTrusted: (event: Event) => boolean,
): () => readonly string[] {
  let dropped: readonly string[] = []
  listen((event, paths) => {
    // What was dropped before is never taken in place of what is dropped now.
    if (isTrusted(event)) dropped = Paths.safeParse(paths).data ?? []
  })
  return () => {
    const taken = dropped
    dropped = []
    return taken
  }
}
