import type { AccountId } from '#shared/bridge/account'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { MachineView } from '#shared/bridge/fleet'
import type { ListChange, ListStatus } from '#shared/bridge/listing'
import type { VolumeView } from '#shared/bridge/volume'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import { ofBareMetal, ofMachine, ofVolume, type ResourceHistory } from './resource-history'
import { isRecent } from '../core/elapsed'

/** List of an account's resources, with its changes. */
interface Followed<View> {
  onChange(listener: (change: ListChange<View, ListStatus>) => void): () => void
  all(account: AccountId): readonly View[] | Promise<readonly View[]>
}

export interface FollowDeps {
  readonly history: ResourceHistory
  readonly machines: Followed<MachineView>
  readonly bareMetal: Followed<BareMetalView>
  readonly volumes: Followed<VolumeView>
  readonly now: Clock['now']
  /** Called if resources of the account began or ended. */
  moved(account: AccountId): void
  readonly report: ReportError
}

/** Seconds between two records of resources that did not change, so that their last sighting stays current. */
const lookAgain = 900

/** Records the resources in the lists of machines, bare metal and volumes. Returns a function that stops it. */
export function followResources(deps: FollowDeps): () => void {
  const { history, machines, bareMetal, volumes, now, moved, report } = deps

  function follow<View extends { readonly id: string }>(
    { onChange, all }: Followed<View>,
    sighting: (view: View) => Parameters<ResourceHistory['see']>[1][number],
  ): () => void {
    const looked = new Map<AccountId, number>()
    const known = new Map<AccountId, Set<string>>()

    async function look(account: AccountId): Promise<void> {
      looked.set(account, now())
      try {
        history.see(account, (await all(account)).map(sighting))
      } catch (error) {
        report('billing.followResources', error)
      }
    }

    return onChange(({ account, upserts, removes, status }) => {
      const ids = known.get(account) ?? new Set()
      known.set(account, ids)
      const begun = upserts.some(({ id }) => !ids.has(id))
      upserts.forEach(({ id }) => ids.add(id))
      removes.forEach((id) => ids.delete(id))
      history.see(account, upserts.map(sighting))
      if ((begun && looked.has(account)) || removes.length > 0) moved(account)
      if (status.asOf !== null && !isRecent(looked.get(account) ?? -Infinity, lookAgain, now()))
        void look(account)
    })
  }

  const ends = [
    follow(machines, (view) => ofMachine(view)),
    follow(bareMetal, ofBareMetal),
    follow(volumes, ofVolume),
  ]
  return () => ends.forEach((end) => end())
}
