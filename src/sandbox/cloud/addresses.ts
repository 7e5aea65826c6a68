/** Upper bound on the dedicated addresses of virtual machines, and of bare metal instances. */
export const maxDedicatedAddresses = 100

export const sharedAddress = '127.0.0.1'

/** SSH endpoint of a machine: a dedicated address, or the shared address with a unique user name. */
export interface SshEndpoint {
  readonly address: string
  readonly username: string
}

const secondOctet = { machine: 20, bareMetal: 30 } as const
const addressesPerNetwork = 25

export const dedicatedAddressesOf = (machines: Iterable<SshEndpoint>): Set<string> =>
  new Set(Array.from(machines, ({ address }) => address).filter((address) => address !== sharedAddress))

/**
 * Returns the endpoint of a new machine. `usedAddresses`: dedicated addresses in use. `dedicated`: false if the loopback interface
 * answers on 127.0.0.1 only (macOS). Virtual machines are in 127.20.0.0/16, bare metal in 127.30.0.0/16.
 */
export function allocateSshEndpoint(
  kind: keyof typeof secondOctet,
  id: string,
  imageUsername: string,
  usedAddresses: ReadonlySet<string>,
  dedicated: boolean,
): SshEndpoint {
  const candidates = dedicated && usedAddresses.size < maxDedicatedAddresses ? maxDedicatedAddresses : 0
  for (let index = 0; index < candidates; index += 1) {
    const network = Math.floor(index / addressesPerNetwork) + 1
    const address = `127.${secondOctet[kind]}.${network}.${(index % addressesPerNetwork) + 11}`
    if (!usedAddresses.has(address)) return { address, username: imageUsername }
  }
  return { address: sharedAddress, username: `m-${id.slice(0, 12)}` }
}
