import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { type SshLink, SshStop } from '#shared/bridge/ssh-link'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { ReportError } from '../../core/report-error'
import type { Sections } from '../../store/settings'

/** Stops by machine. `place`: the address and user for which a stop applies. */
const Stops = z.record(z.string(), z.object({ place: z.string(), stop: SshStop }))

/** Other stops, such as a missing file, have their cause on this computer, so a retry costs the machine nothing. */
const isKept = ({ kind }: SshStop): boolean => kind === 'key-refused' || kind === 'host-key-changed'

/** Stops that outlive the application: a refused sign-in is not retried because the computer wakes up or Wheelhouse starts. */
export function openStops(documents: Sections, report: ReportError) {
  const section = documents.section('gpu-stops', Stops)
  const has = (key: string): boolean => Object.hasOwn(section.read(), key)
  function change(update: (stops: z.infer<typeof Stops>) => z.infer<typeof Stops>): void {
    section.change(update).catch((error: unknown) => report('gpu.keep-stop', error))
  }
  const dropWhere = (test: (key: string) => boolean): void =>
    change((stops) =>
      Object.keys(stops).some(test)
        ? Object.fromEntries(Object.entries(stops).filter(([key]) => !test(key)))
        : stops,
    )
  /** Machines that connected in this run, so their stops were dropped. */
  const free = new Set<string>()
  return {
    isReady: section.isReady,
    ready: section.ready,
    /** Returns the stop of a machine at a place. */
    of(account: AccountId, machine: string, place: string): SshStop | undefined {
      const key = resourceKey(account, machine)
      const entry = has(key) ? section.read()[key] : undefined
      return entry?.place === place ? entry.stop : undefined
    },
    /** Stores the stop of a link, and drops it after a connection. */
    follow(account: AccountId, machine: string, place: string, link: SshLink): void {
      const key = resourceKey(account, machine)
      // Only once: links change with each reading, and even an unchanged section would be written.
      if (link.kind === 'connected' && !free.has(key)) {
        free.add(key)
        dropWhere((stored) => stored === key)
      }
      if (link.kind !== 'stopped' || !isKept(link.stop)) return
      free.delete(key)
      const stop = { place, stop: link.stop }
      if (JSON.stringify(has(key) && section.read()[key]) !== JSON.stringify(stop))
        change((stops) => ({ ...stops, [key]: stop }))
    },
    /** Drops the stop of a machine, or all stops of the account (null). */
    drop: (account: AccountId, machine: string | null): void =>
      dropWhere((key) => (machine === null ? isKeyOf(account, key) : key === resourceKey(account, machine))),
  }
}
