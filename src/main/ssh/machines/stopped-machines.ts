import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { type SshLink, SshStop } from '#shared/bridge/ssh-link'
import { isKeyOf, resourceKey } from '#shared/resource-key'
import type { ReportError } from '../../core/report-error'
import type { Sections } from '../../store/settings'

/** By machine. `place`: the address and user that it holds for. */
const Stops = z.record(z.string(), z.object({ place: z.string(), stop: SshStop }))

/** Other stops, such as a missing file, have their cause on this computer: trying again costs the machine nothing. */
const isKept = ({ kind }: SshStop): boolean => kind === 'key-refused' || kind === 'host-key-changed'

/**
 * Stops that outlive their connection, and the application: what a machine has refused is not tried again because the
 * computer woke up or the application was started.
 */
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
  /** Machines without a stop, as far as this run knows; before the store is open one may still be in it. */
  const free = new Set<string>()
  return {
    isReady: section.isReady,
    ready: section.ready,
    /** The stop of this machine at this place. */
    of(account: AccountId, machine: string, place: string): SshStop | undefined {
      const key = resourceKey(account, machine)
      const kept = has(key) ? section.read()[key] : undefined
      return kept?.place === place ? kept.stop : undefined
    },
    /** Keeps the stop of a link, where it is one that is kept. */
    follow(account: AccountId, machine: string, place: string, link: SshLink): void {
      const key = resourceKey(account, machine)
      // It comes with each reading: what changes nothing would be written all the same.
      if (link.kind === 'connected' && !free.has(key)) {
        free.add(key)
        dropWhere((one) => one === key)
      }
      if (link.kind !== 'stopped' || !isKept(link.stop)) return
      free.delete(key)
      const stop = { place, stop: link.stop }
      if (JSON.stringify(has(key) && section.read()[key]) !== JSON.stringify(stop))
        change((stops) => ({ ...stops, [key]: stop }))
    },
    /** Of one machine, or of all of the account (null). */
    drop: (account: AccountId, machine: string | null): void =>
      dropWhere((key) => (machine === null ? isKeyOf(account, key) : key === resourceKey(account, machine))),
  }
}
