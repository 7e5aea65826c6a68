/** How many virtual machines, and how many bare metal instances, get an address each. */
export const maxDedicatedAddresses = 100

export const sharedAddress = '127.0.0.1'

/** Where SSH reaches a machine: a dedicated address with the image's user name, or the shared one with a unique user name. */
export interface SshEndpoint {
  readonly address: string
  readonly username: string
}

const secondOctet = { machine: 20, bareMetal: 30 } as const
const addressesPerNetwork = 25

/** The dedicated addresses in use by `machines`. */
export const dedicatedAddressesOf = (machines: Iterable<SshEndpoint>): Set<string> =>
  new Set(Array.from(machines, ({ address }) => address).filter((address) => address !== sharedAddress))

/**
 * The endpoint of a new machine. `taken` holds the dedicated addresses in use; `dedicated` is false on systems whose
 * loopback interface answers on 127.0.0.1 only (macOS). Virtual machines are in 127.20.0.0/16, bare metal in 127.30.0.0/16.
 */
export function allocateSshEndpoint(
  kind: keyof typeof secondOctet,
  id: string,
  imageUsername: string,
  taken: ReadonlySet<string>,
  dedicated: boolean,
): SshEndpoint {
  const candidates = dedicated && taken.size < maxDedicatedAddresses ? maxDedicatedAddresses : 0
  for (let index = 0; index < candidates; index += 1) {
    const network = Math.floor(index / addressesPerNetwork) + 1
    const address = `127.${secondOctet[kind]}.${network}.${(index % addressesPerNetwork) + 11}`
    if (!taken.has(address)) return { address, username: imageUsername }
  }
  return { address: sharedAddress, username: `m-${id.slice(0, 12)}` }
}
