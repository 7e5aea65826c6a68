import { isIP, SocketAddress } from 'node:net'
import type { ServicesReport, ServiceView } from '#shared/bridge/tunnel'
import { unansweredReport } from '../ssh/client/commands'
import type { SshConnection } from '../ssh/client/transport'
import { serviceName } from './known-services'

const maxServices = 50
const maxNameLength = 60
const maxAddressLength = 100

interface Listener {
  readonly port: number
  readonly process: string | null
  /** Only address that the program listens on; absent: `localhost` reaches it. */
  readonly host?: string
}

/** Addresses that `localhost` reaches. */
const localhostAddresses = ['*', '0.0.0.0', '::', '127.0.0.1']

/** Parses an address printed by a machine as the host of a forward; empty if `localhost` reaches it, or if it is invalid. */
function parseHost(text: string): Pick<Listener, 'host'> {
  const [address = '', zone] = text.replace(/^::ffff:(?=[\d.]+(?:%|$))/i, '').split('%')
  const version = isIP(address)
  if (localhostAddresses.includes(address) || version === 0) return {}
  // A link-local address is unusable without its interface.
  const host = version === 6 && zone !== undefined ? `${address}%${zone}` : address
  return isIP(host) ? { host } : {}
}

/** Parses an address of /proc/net: words of four bytes in little-endian order. */
function parseHexAddress(hex: string): string {
  const bytes = hex.match(/.{8}/g)?.flatMap((word) => word.match(/../g)?.toReversed() ?? []) ?? []
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
  if (bytes.length !== 16) return ''
  const mapped = /^0{20}ffff(.{8})$/i.exec(bytes.join(''))?.[1]
  if (mapped !== undefined)
    return (mapped.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join('.')
  const groups = bytes.join('').match(/.{4}/g) ?? []
  return new SocketAddress({ family: 'ipv6', address: groups.join(':') }).address
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535
const plain = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)

/**
 * Parses a line of `ss -ltnp`: "LISTEN 0 128 127.0.0.1:8888 0.0.0.0:* users:(("jupyter-lab",pid=1,fd=7))". Versions differ
 * in white space, in the heading, and in the wildcard address (`*`, `0.0.0.0`, `[::]`, `:::`).
 */
function parseSsLine(line: string): Listener[] {
  const [, local, users = ''] = /^LISTEN\s+\d+\s+\d+\s+(\S+)\s+\S+(.*)/s.exec(line) ?? []
  const [, address = '', digits] = /^(.*):(\d{1,5})$/.exec(local?.slice(0, maxAddressLength) ?? '') ?? []
  const port = Number(digits)
  if (!isPort(port)) return []
  const process = plain(/\("([^"]*)"/.exec(users)?.[1] ?? '')
  return [{ port, process: process === '' ? null : process, ...parseHost(address.replace(/[[\]]/g, '')) }]
}

/** Parses a line of /proc/net/tcp or tcp6 (proc_net_tcp.rst): "0: 0100007F:22B8 00000000:0000 0A …"; 0A is LISTEN. */
function parseProcLine(line: string): Listener[] {
  const [, address = '', hex = ''] =
    /^\s*\d+: ([0-9A-F]{8,32}):([0-9A-F]{4}) [0-9A-F]{8,32}:0000 0A /i.exec(line) ?? []
  const port = Number.parseInt(hex, 16)
  return isPort(port) ? [{ port, process: null, ...parseHost(parseHexAddress(address)) }] : []
}

/** Merges the listeners of one port at two addresses. The host is absent if `localhost` reaches one of them. */
function merge(a: Listener, b: Listener): Listener {
  const host = a.host === undefined || b.host === undefined ? undefined : a.host
  return { port: a.port, process: a.process ?? b.process, ...(host !== undefined && { host }) }
}

/** Parses the listeners, each port once; null if the text is no output of `ss` or /proc/net. Pure. */
export function parseListeners(text: string): readonly Listener[] | null {
  if (!/^(State\s|LISTEN\s)|\blocal_address\b/m.test(text)) return null
  const byPort = new Map<number, Listener>()
  for (const line of text.split('\n'))
    for (const listener of [...parseSsLine(line), ...parseProcLine(line)])
      byPort.set(listener.port, merge(byPort.get(listener.port) ?? listener, listener))
  return [...byPort.values()]
}

/** Sorts recognised services first, then by port. Omits `own` ports and sshd. Pure. */
export function servicesOf(listeners: readonly Listener[], own: ReadonlySet<number>): ServicesReport {
  const services = listeners
    .filter(({ port, process }) => !own.has(port) && process !== 'sshd')
    .map((listener): ServiceView => ({ ...listener, name: serviceName(listener.port, listener.process) }))
    .sort((a, b) => Number(a.name === null) - Number(b.name === null) || a.port - b.port)
  return { kind: 'services', services: services.slice(0, maxServices), more: services.length > maxServices }
}

/** Commands that list services. The second runs if `ss` is missing. */
const commands = ['ss -ltnp', 'cat /proc/net/tcp /proc/net/tcp6'] as const

/** Lists the services of a machine. `exec` bounds the output. Rejects as `exec` does. */
export async function readServices(
  exec: SshConnection['exec'],
  own: ReadonlySet<number>,
  seconds: number,
): Promise<ServicesReport> {
  let loginOutput: string | undefined
  for (const command of commands) {
    const outcome = await exec(command)
    if (outcome.kind !== 'finished') return unansweredReport(outcome, seconds)
    loginOutput ??= outcome.loginOutput
    const listeners = parseListeners(outcome.stdout)
    if (listeners) return servicesOf(listeners, own)
  }
  return { kind: 'not-understood', ...(loginOutput !== undefined && { loginOutput }) }
}
