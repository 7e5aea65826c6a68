import type { LinkChoice } from '#shared/bridge/files'
import type { AskLinks, Progress } from './transfer-job'

/** Links that are named to the user. */
const maxNames = 20

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
  if (links.names.length < maxNames) links.names.push(name)
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
  /** Why the text of a link could not be read, for the user. */
  readonly unreadable: string
}

/** The links of a transfer that are not followed, and the user's choice for them. The user is asked once. */
export function outerLinks({ ask, progress, unreadable }: OuterLinksDeps) {
  let found: OuterLink[] = []
  let choice: LinkChoice | undefined
  /** Texts of the copies, by their path. */
  const texts = new Map<string, string | null>()
  const made = new Set<string>()
  /** Links that could not be made, by the path of their copy: their name and the reason. */
  const failed = new Map<string, { readonly name: string; readonly reason: string }>()

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
      const names = found.slice(0, maxNames).map(({ name }) => name)
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
     * Makes the links. Nothing is written afterwards, so that no write follows a link. `make` returns the reason if the
     * link can't be made, else null. May be called again after a lost connection.
     */
    async make(make: (path: string, text: string) => Promise<string | null>): Promise<void> {
      for (const { to, name } of found.filter((link) => !made.has(link.to) && !failed.has(link.to))) {
        const text = texts.get(to) ?? null
        const reason = text === null ? unreadable : await make(to, text)
        if (reason === null) made.add(to)
        else failed.set(to, { name, reason })
      }
      const failures = [...failed.values()]
      progress.linksCopied = made.size
      progress.linksFailed = {
        count: failures.length,
        names: failures.slice(0, maxNames).map(({ name }) => name),
        reason: failures[0]?.reason ?? '',
      }
    },
  }
}
