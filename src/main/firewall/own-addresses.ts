import { BlockList, isIP } from 'node:net'
import type { networkInterfaces } from 'node:os'
import type { SshConnection } from '../ssh/client/transport'

// IPv4 addresses that are not routed on the internet: private, shared, link-local, loopback, documentation, multicast.
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

/** Returns the public addresses of this computer, IPv4 first. Behind a router there is usually no IPv4 address. */
export const publicAddresses = (interfaces: ReturnType<typeof networkInterfaces>): readonly string[] => {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  const ipv4 = all.filter(({ family, address }) => family === 'IPv4' && !local.check(address, 'ipv4'))
  const ipv6 = all.filter(({ family, address }) => family === 'IPv6' && globalUnicast.check(address, 'ipv6'))
  return [...new Set([...ipv4, ...ipv6].map(({ address }) => address))]
}

/** Time limit for the machine's answer: the user waits for it in a form. */
const ownAddressTimeoutSeconds = 3

/**
 * Returns this computer's address as a machine sees it (sshd(8), SSH_CONNECTION); null if the machine does not answer in
 * time or sees the end of a tunnel.
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
    // The address can be found in other ways.
    return null
  }
}
