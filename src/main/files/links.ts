import type { Progress } from './job'

/** Names of skipped links that are shown at most. */
const mostNames = 20

/**
 * Decides whether a link within a chosen folder is followed. All paths are absolute, without links. `folders`: the chosen
 * folder and the folders down to the link; a link to one of them is a loop.
 */
export function isFollowed(target: string, folders: readonly string[], separator: string): boolean {
  const [chosen = ''] = folders
  const inside = chosen.endsWith(separator) ? chosen : chosen + separator
  return target.startsWith(inside) && !folders.includes(target)
}

/** Counts a link that is left out, by the name that the user knows it by. */
export function skipLink({ links }: Pick<Progress, 'links'>, name: string): void {
  links.count += 1
  if (links.names.length < mostNames) links.names.push(name)
}
