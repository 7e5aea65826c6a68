/** A path with the person's home as `~`, as shells write it. Only its looks: never used to open a file. */
export const shortPath = (path: string): string =>
  path.replace(/^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\])/, '~')
