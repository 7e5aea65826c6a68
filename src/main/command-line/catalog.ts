import { translate } from '#shared/messages/index'
import type { AccountView } from '#shared/bridge/account'
import type { FlavorView, RegionRef } from '#shared/bridge/catalog'
import { oneLine } from '../core/one-line'
import type { Context } from './context'
import { CommandFailure } from './failure'

interface Item {
  readonly id: string
  readonly name: string
  readonly region: RegionRef
}

const isSame = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

export const regionName = ({ id, name }: RegionRef): string => oneLine(name ?? id ?? '')
const isIn = ({ id, name }: RegionRef, region: string | undefined): boolean =>
  region === undefined || isSame(id, region) || isSame(name, region)

/** Returns the items with this id, else with this name, in a region by id or name. Pure. */
export function itemsNamed<Found extends Item>(
  items: readonly Found[],
  word: string,
  region: string | undefined,
): readonly Found[] {
  const here = items.filter((item) => isIn(item.region, region))
  const byId = here.filter(({ id }) => id === word)
  return byId.length > 0 ? byId : here.filter(({ name }) => isSame(name, word))
}

/** Returns the flavors with this id or name. Fails with notFound. */
export async function flavorsNamed(
  { call, text }: Context,
  account: AccountView,
  word: string,
  region: string | undefined,
): Promise<readonly FlavorView[]> {
  const { items } = await call('catalog.flavors', { account: account.id, kind: 'machine' })
  const found = itemsNamed(items, word, region)
  if (found.length > 0) return found
  const names = [
    ...new Set(items.filter((item) => isIn(item.region, region)).map(({ name }) => oneLine(name))),
  ]
  throw new CommandFailure(
    'notFound',
    text('errors.unknownFlavor', {
      name: oneLine(word),
      names: names.join(translate('common.listSeparator')),
    }),
  )
}
