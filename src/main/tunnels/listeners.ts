import type { ServicesReport, ServiceView } from '#shared/bridge/tunnel'
import type { SshConnection } from '../ssh/client/transport'
import { serviceName } from './known-services'

/** Services that are shown: more than a person reads. */
const shown = 50
const longestName = 60

interface Listener {
  readonly port: number
  readonly process: string | null
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
  const port = Number(/:(\d{1,5})$/.exec(local ?? '')?.[1])
  if (!isPort(port)) return []
  const process = plain(/\("([^"]*)"/.exec(users)?.[1] ?? '')
  return [{ port, process: process === '' ? null : process }]
}

/** A line of /proc/net/tcp or tcp6 (proc_net_tcp.rst): "0: 0100007F:22B8 00000000:0000 0A …"; 0A is LISTEN. */
function fromProc(line: string): Listener[] {
  const hex = /^\s*\d+: [0-9A-F]{8,32}:([0-9A-F]{4}) [0-9A-F]{8,32}:0000 0A /i.exec(line)?.[1]
  const port = Number.parseInt(hex ?? '', 16)
  return isPort(port) ? [{ port, process: null }] : []
}

/** What listens, each port once; null where the text is neither tool's answer. Pure. */
export function parseListeners(text: string): readonly Listener[] | null {
  if (!/^(State\s|LISTEN\s)|\blocal_address\b/m.test(text)) return null
  const byPort = new Map<number, Listener>()
  for (const line of text.split('\n'))
    for (const one of [...fromSs(line), ...fromProc(line)])
      if (!byPort.get(one.port)?.process) byPort.set(one.port, one)
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
  for (const command of commands) {
    const outcome = await exec(command)
    if (outcome.kind === 'timed-out') return { kind: 'no-answer', seconds }
    const listeners = parseListeners(outcome.stdout)
    if (listeners) return servicesOf(listeners, own)
  }
  return { kind: 'not-understood' }
}
