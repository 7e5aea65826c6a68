/** Replaces the home folder by `~`, for display only: never used to open a file. */
export const tildePath = (path: string): string =>
  path.replace(/^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\])/, '~')

/** Shortens a path for display: `~` for the home, and only the end if it is longer than `room` characters. */
export function shortPath(path: string, room = 32): string {
  const short = tildePath(path)
  return short.length <= room ? short : short.replace(/^.+([/\\][^/\\]+[/\\][^/\\]+)$/, '…$1')
}
