/** How many machines, and how many bare metal instances, get an address of their own. */
export const ownAddresses = 100

export const sharedAddress = '127.0.0.1'

/** Where a machine is reached: an address of its own with the image's user name, or the shared one with a user name of its own. */
export interface Place {
  readonly address: string
  readonly username: string
}

const block = { machine: 20, bareMetal: 30 } as const

/** The addresses of their own that `machines` have. */
export const ownAddressesOf = (machines: Iterable<Place>): Set<string> =>
  new Set(Array.from(machines, ({ address }) => address).filter((address) => address !== sharedAddress))

/**
 * The place for a new machine. `taken` holds the addresses of their own that others have; `own` is false on systems
 * that answer only on 127.0.0.1 (macOS). Addresses lie in 127.20.0.0/16 for machines and 127.30.0.0/16 for bare metal.
 */
export function placeFor(
  kind: keyof typeof block,
  id: string,
  imageUsername: string,
  taken: ReadonlySet<string>,
  own: boolean,
): Place {
  const candidates = own && taken.size < ownAddresses ? ownAddresses : 0
  const perNetwork = 25
  for (let index = 0; index < candidates; index += 1) {
    const network = Math.floor(index / perNetwork) + 1
    const address = `127.${block[kind]}.${network}.${(index % perNetwork) + 11}`
    if (!taken.has(address)) return { address, username: imageUsername }
  }
  return { address: sharedAddress, username: `m-${id.slice(0, 12)}` }
}
