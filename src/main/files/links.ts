import type { LinkChoice } from '#shared/bridge/files'
import type { AskLinks, Progress } from './transfer-job'

/** Names of links that are shown at most. */
const mostNames = 20

/** Decides whether a path is a chosen folder or below it. Both are absolute, without links. */
function isWithin(chosen: string, path: string, separator: string): boolean {
  const inside = chosen.endsWith(separator) ? chosen : chosen + separator
  return path === chosen || path.startsWith(inside)
}

/**
 * Decides whether a link within a chosen folder is followed. All paths are absolute, without links. `folders`: the chosen
 * folder and the folders down to the link; a link to one of them is a loop.
 */
export function isFollowed(target: string, folders: readonly string[], separator: string): boolean {
  const [chosen = ''] = folders
  return isWithin(chosen, target, separator) && !folders.includes(target)
}

/** Counts a link that is left out, by the name that the user knows it by. */
function skipLink({ links }: Pick<Progress, 'links'>, name: string): void {
  links.count += 1
  if (links.names.length < mostNames) links.names.push(name)
}

/** A link that is not followed: it leads out of the chosen folder, nowhere or back. */
export interface OuterLink {
  /** Path of the link, and of its copy. */
  readonly from: string
  readonly to: string
  /** The name that the user knows it by. */
  readonly name: string
  /** Text of the copy if the link leads back into the chosen folder; null: the same text as the link. */
  readonly back: string | null
}

/**
 * Returns the text of a copied link whose target is the chosen folder or below it, relative to the copy. Returns null for
 * other targets.
 */
export function backText(
  target: string | undefined,
  chosen: string,
  copy: { readonly root: string; readonly link: string },
  from: { readonly sep: string },
  to: {
    relative(from: string, to: string): string
    dirname(path: string): string
    join(...parts: string[]): string
  },
): string | null {
  if (target === undefined || !isWithin(chosen, target, from.sep)) return null
  const below = target.slice(chosen.length).split(from.sep)
  return to.relative(to.dirname(copy.link), to.join(copy.root, ...below)) || '.'
}

interface OuterLinksDeps {
  readonly ask: AskLinks
  readonly progress: Progress
}

/** The links of a transfer that are not followed, and the user's choice for them. The user is asked once. */
export function outerLinks({ ask, progress }: OuterLinksDeps) {
  let found: OuterLink[] = []
  let choice: LinkChoice | undefined
  /** Texts of the copies, by their path. */
  const texts = new Map<string, string | null>()
  const made = new Set<string>()

  return {
    /** Drops the links that were found before they are counted again. */
    reset(): void {
      found = []
      progress.links = { count: 0, names: [] }
    },
    add: (link: OuterLink): void => void found.push(link),
    /**
     * Asks the user unless there is no such link or the user was asked before. `readText` returns the text of a link;
     * null: it can't be read.
     */
    async decide(signal: AbortSignal, readText: (link: OuterLink) => Promise<string | null>): Promise<void> {
      if (found.length === 0) return
      const names = found.slice(0, mostNames).map(({ name }) => name)
      choice ??= await ask({ count: found.length, names }, signal)
      if (choice === 'copy') {
        for (const link of found) {
          signal.throwIfAborted()
          texts.set(link.to, link.back ?? (await readText(link)))
        }
        return
      }
      for (const { name } of found) skipLink(progress, name)
      found = []
    },
    /** Paths of the links that were made. */
    made: (): readonly string[] => [...made],
    /**
     * Makes the links. Nothing is written afterwards, so that no write follows a link. `make` returns false if the link
     * can't be made: it is left out by its name.
     */
    async make(make: (path: string, text: string) => Promise<boolean>): Promise<void> {
      for (const link of found.filter(({ to }) => !made.has(to))) {
        const text = texts.get(link.to) ?? null
        if (text !== null && (await make(link.to, text))) made.add(link.to)
        else skipLink(progress, link.name)
      }
      // A link that was left out is not tried again.
      found = found.filter(({ to }) => made.has(to))
      progress.linksCopied = made.size
    },
  }
}
