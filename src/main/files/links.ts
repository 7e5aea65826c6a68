import type { LinkChoice } from '#shared/bridge/files'
import type { AskLinks, Progress } from './transfer-job'

const maxNames = 20

/** Returns whether a path is a chosen folder or in it. Both are absolute, without links. */
function isWithin(chosen: string, path: string, separator: string): boolean {
  const inside = chosen.endsWith(separator) ? chosen : chosen + separator
  return path === chosen || path.startsWith(inside)
}

/**
 * Returns whether a link in a chosen folder is followed. All paths are absolute, without links. `folders`: from the chosen
 * folder down to the link; a link to one of them is a loop.
 */
export function isFollowed(target: string, folders: readonly string[], separator: string): boolean {
  const [chosen = ''] = folders
  return isWithin(chosen, target, separator) && !folders.includes(target)
}

/** Link that is not followed: it leads out of the chosen folder, nowhere, or to a folder that contains it. */
export interface OuterLink {
  readonly from: string
  readonly to: string
  readonly name: string
  /** Text of the copy if the link leads into the chosen folder; null: the same text as the link. */
  readonly back: string | null
}

/** Returns the text of a copied link to the chosen folder or a path in it, relative to the copy; null: another target. */
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
  readonly unreadable: string
}

/** Collects the links of a transfer that are not followed, and copies or skips them as the user chooses. */
export function outerLinks({ ask, progress, unreadable }: OuterLinksDeps) {
  let links: OuterLink[] = []
  let choice: LinkChoice | undefined
  const texts = new Map<string, string | null>()
  const made = new Set<string>()
  const failed = new Map<string, { readonly name: string; readonly reason: string }>()

  return {
    reset(): void {
      links = []
      progress.links = { count: 0, names: [] }
    },
    add: (link: OuterLink): void => void links.push(link),
    /** Asks the user once, if there are links. `readText` returns the text of a link; null: unreadable. */
    async decide(signal: AbortSignal, readText: (link: OuterLink) => Promise<string | null>): Promise<void> {
      if (links.length === 0) return
      const count = links.length
      const names = links.slice(0, maxNames).map(({ name }) => name)
      choice ??= await ask({ count, names }, signal)
      if (choice === 'copy') {
        for (const link of links) {
          signal.throwIfAborted()
          texts.set(link.to, link.back ?? (await readText(link)))
        }
        return
      }
      progress.links = { count, names }
      links = []
    },
    made: (): readonly string[] => [...made],
    /**
     * Makes the links. Files must not be written afterwards, because a write would follow a link. `make` returns the reason
     * if it cannot make a link, otherwise null. May be called again after a lost connection.
     */
    async make(make: (path: string, text: string) => Promise<string | null>): Promise<void> {
      for (const { to, name } of links.filter((link) => !made.has(link.to) && !failed.has(link.to))) {
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
