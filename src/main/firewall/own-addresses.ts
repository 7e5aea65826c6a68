import { BlockList, isIP } from 'node:net'
import type { networkInterfaces } from 'node:os'
import type { SshConnection } from '../ssh/client/transport'

// Addresses that are not routed on the internet: private, shared, link-local, loopback, documentation, multicast and the like.
const local = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  local.addSubnet(address, bits, 'ipv4')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** The addresses of this computer that the world may see, IPv4 first. Behind a router there are none of IPv4. */
export const publicAddresses = (interfaces: ReturnType<typeof networkInterfaces>): readonly string[] => {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  const four = all.filter(({ family, address }) => family === 'IPv4' && !local.check(address, 'ipv4'))
  const six = all.filter(({ family, address }) => family === 'IPv6' && globalUnicast.check(address, 'ipv6'))
  return [...new Set([...four, ...six].map(({ address }) => address))]
}

/** Seconds that a machine has to answer: the person waits for it in a form. */
const ownAddressTimeoutSeconds = 3

/**
 * The address that a machine sees at the other end of an open connection (sshd(8), SSH_CONNECTION); null where it does
 * not answer in time, or the connection comes out of a tunnel there.
 */
export async function seenAddress(connection: Pick<SshConnection, 'exec'>): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(ownAddressTimeoutSeconds * 1_000)
    const outcome = await connection.exec('printf %s "$SSH_CONNECTION"', signal)
    const [client = ''] = outcome.kind === 'finished' ? outcome.stdout.trim().split(/\s+/) : []
    const address = client.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
    const isOwn = address === '::1' || address.startsWith('127.')
    return isIP(address) === 0 || isOwn ? null : address
  } catch {
    // Lost or too slow: there are other ways to know it.
    return null
  }
}
