/** Characters that fit beside a label. */
const room = 32

/**
 * A path as a person recognises it: the home as `~`, as shells write it, and of a long one only the end, which holds
 * the file's name. Only its looks: never used to open a file.
 */
export function shortPath(path: string): string {
  const short = path.replace(
    /^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\])/,
    '~',
  )
  return short.length <= room ? short : short.replace(/^.+([/\\][^/\\]+[/\\][^/\\]+)$/, '…$1')
}
