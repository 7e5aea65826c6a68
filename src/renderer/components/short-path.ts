/** Characters that fit beside a label. */
const besideLabel = 32

/** A path with the home as `~`, as shells write it. Only its looks: never used to open a file. */
export const tildePath = (path: string): string =>
  path.replace(/^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\])/, '~')

/** As tildePath, and of one longer than `room` only the end, which holds the file's name. */
export function shortPath(path: string, room = besideLabel): string {
  const short = tildePath(path)
  return short.length <= room ? short : short.replace(/^.+([/\\][^/\\]+[/\\][^/\\]+)$/, '…$1')
}
