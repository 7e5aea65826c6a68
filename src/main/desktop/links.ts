import type { AccountId } from '#shared/bridge/account'
import type { Destination } from '#shared/bridge/app'
import { isLink } from '../core/start-arguments'

/** A `wheelhouse://` link. Other programs and web pages open links, so a link only shows a page. */
export type Link = { readonly page: 'cost' } | { readonly page: 'machine' | 'terminal'; readonly id: string }

const maxIdLength = 200

/** Reads `wheelhouse://cost`, `wheelhouse://machine/ID` and `wheelhouse://terminal/ID`; null for any other address. */
export function readLink(address: string): Link | null {
  const [, page, path = ''] = /^wheelhouse:\/\/(cost|machine|terminal)\/?([^?#]*)$/i.exec(address) ?? []
  if (page === undefined) return null
  const kind = page.toLowerCase()
  if (kind === 'cost') return path === '' ? { page: 'cost' } : null
  try {
    const id = decodeURIComponent(path)
    const isPlain = id.length > 0 && id.length <= maxIdLength && !/[/\p{Cc}]/u.test(id)
    return isPlain ? { page: kind === 'terminal' ? 'terminal' : 'machine', id } : null
  } catch {
    return null
  }
}

export interface LinkPlaces {
  /** Accounts; the selected one first. */
  accounts(): readonly AccountId[]
  hasMachine(account: AccountId, id: string): boolean
  /** Reads the machines of an account. */
  refresh(account: AccountId): Promise<void>
}

/** Returns the page of a link; undefined without an account. A machine that no account lists is shown as missing. */
export async function linkDestination(link: Link, places: LinkPlaces): Promise<Destination | undefined> {
  const accounts = places.accounts()
  const [selected] = accounts
  if (selected === undefined) return undefined
  if (link.page === 'cost') return { page: 'billing', account: selected }
  const { id: machine, page } = link
  const owner = (): AccountId | undefined => accounts.find((account) => places.hasMachine(account, machine))
  if (owner() === undefined)
    await Promise.all(accounts.map((account) => places.refresh(account).catch(() => undefined)))
  // The panel's tab has the button that connects.
  const tab = page === 'terminal' ? { tab: 'connection' as const } : {}
  return { page: 'machines', account: owner() ?? selected, machine, ...tab }
}

/** Shows the page of a link among the arguments of a start. */
export async function openLink(
  args: readonly string[],
  places: LinkPlaces,
  show: (destination?: Destination) => void,
): Promise<void> {
  const address = args.find(isLink)
  const link = address === undefined ? null : readLink(address)
  if (link !== null) show(await linkDestination(link, places))
}
