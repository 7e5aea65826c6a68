import { isIP, SocketAddress } from 'node:net'
import type { ServicesReport, ServiceView } from '#shared/bridge/tunnel'
import { unansweredReport } from '../ssh/client/commands'
import type { SshConnection } from '../ssh/client/transport'
import { serviceName } from './known-services'

/** Services that are shown: more than a person reads. */
const shown = 50
const longestName = 60
/** Characters of an address with its interface and port. */
const longestLocal = 100

interface Listener {
  readonly port: number
  readonly process: string | null
  /** The only address that it listens on; absent: `localhost` leads there. */
  readonly host?: string
}

/** What `localhost` may lead to. */
const wildcards = ['*', '0.0.0.0', '::', '127.0.0.1']

/** An address as a machine writes it, as the host of a forward; nothing where `localhost` leads there, or it is none. */
function hostIn(text: string): Pick<Listener, 'host'> {
  const [address = '', zone] = text.replace(/^::ffff:(?=[\d.]+(?:%|$))/i, '').split('%')
  const kind = isIP(address)
  if (wildcards.includes(address) || kind === 0) return {}
  // Without its interface, an address of one link leads nowhere.
  const host = kind === 6 && zone !== undefined ? `${address}%${zone}` : address
  return isIP(host) ? { host } : {}
}

/** Of /proc/net: each four bytes as the processor has them, the last one first. */
function addressIn(hex: string): string {
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
    .slice(0, longestName)

/**
 * A line of `ss -ltnp`: "LISTEN 0 128 127.0.0.1:8888 0.0.0.0:* users:(("jupyter-lab",pid=1,fd=7))". Versions differ in
 * white space, in a heading, and in how any address is written (`*`, `0.0.0.0`, `[::]`, `:::`).
 */
function fromSs(line: string): Listener[] {
  const [, local, users = ''] = /^LISTEN\s+\d+\s+\d+\s+(\S+)\s+\S+(.*)/s.exec(line) ?? []
  const [, address = '', digits] = /^(.*):(\d{1,5})$/.exec(local?.slice(0, longestLocal) ?? '') ?? []
  const port = Number(digits)
  if (!isPort(port)) return []
  const process = plain(/\("([^"]*)"/.exec(users)?.[1] ?? '')
  return [{ port, process: process === '' ? null : process, ...hostIn(address.replace(/[[\]]/g, '')) }]
}

/** A line of /proc/net/tcp or tcp6 (proc_net_tcp.rst): "0: 0100007F:22B8 00000000:0000 0A …"; 0A is LISTEN. */
function fromProc(line: string): Listener[] {
  const [, address = '', hex = ''] =
    /^\s*\d+: ([0-9A-F]{8,32}):([0-9A-F]{4}) [0-9A-F]{8,32}:0000 0A /i.exec(line) ?? []
  const port = Number.parseInt(hex, 16)
  return isPort(port) ? [{ port, process: null, ...hostIn(addressIn(address)) }] : []
}

/** The same port at two addresses: whichever says its process, and where `localhost` leads if that is one of them. */
function both(one: Listener, other: Listener): Listener {
  const { port } = one
  const process = one.process ?? other.process
  const host = one.host === undefined || other.host === undefined ? undefined : one.host
  return { port, process, ...(host !== undefined && { host }) }
}

/** What listens, each port once; null where the text is neither tool's answer. Pure. */
export function parseListeners(text: string): readonly Listener[] | null {
  if (!/^(State\s|LISTEN\s)|\blocal_address\b/m.test(text)) return null
  const byPort = new Map<number, Listener>()
  for (const line of text.split('\n'))
    for (const one of [...fromSs(line), ...fromProc(line)])
      byPort.set(one.port, both(byPort.get(one.port) ?? one, one))
  return [...byPort.values()]
}

/** Recognised services first, then by port; `own` ports and sshd are left out. Pure. */
export function servicesOf(listeners: readonly Listener[], own: ReadonlySet<number>): ServicesReport {
  const services = listeners
    .filter(({ port, process }) => !own.has(port) && process !== 'sshd')
    .map((one): ServiceView => ({ ...one, name: serviceName(one.port, one.process) }))
    .sort((a, b) => Number(a.name === null) - Number(b.name === null) || a.port - b.port)
  return { kind: 'services', services: services.slice(0, shown), more: services.length > shown }
}

/** Every command that is run to find services; the second where the first is not there. */
const commands = ['ss -ltnp', 'cat /proc/net/tcp /proc/net/tcp6'] as const

/** Asks a machine what listens on it; the answer is bounded by `exec`. Rejects as `exec` does. */
export async function readServices(
  exec: SshConnection['exec'],
  own: ReadonlySet<number>,
  seconds: number,
): Promise<ServicesReport> {
  let login: string | undefined
  for (const command of commands) {
    const outcome = await exec(command)
    if (outcome.kind !== 'finished') return unansweredReport(outcome, seconds)
    login ??= outcome.loginOutput
    const listeners = parseListeners(outcome.stdout)
    if (listeners) return servicesOf(listeners, own)
  }
  return { kind: 'not-understood', ...(login !== undefined && { loginOutput: login }) }
}
