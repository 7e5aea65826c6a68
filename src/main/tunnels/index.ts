import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { CallInput, HandlersOf } from '#shared/bridge/index'
import type { ServicesView, tunnelCalls, tunnelEvents } from '#shared/bridge/tunnel'
import { defineModule, type EventsOf } from '../core/module'
import { createMutex } from '../core/mutex'
import type { ReportError } from '../core/report-error'
import { plainPort } from '../ssh/client/plain-values'
import type { ForgetGoneDeps } from '../fleet/forget-gone'
import { type FollowedMachines, followMachines } from '../ssh/follow-machines'
import { machineRegistry } from '../ssh/machine-registry'
import type { SshMachines } from '../ssh/machines/index'
import { createForwards, type Forwards } from './forwards'
import { type MachineTunnels, machineTunnels } from './machine-tunnels'
import { openedForwards, type OpenedForwardsDeps } from './opened-forwards'
import { restoreForwards } from './restore-forwards'
import { createSavedForwards } from './saved-forwards'
import type { Sections } from '../store/settings'

export interface TunnelsDeps
  extends
    FollowedMachines,
    Pick<ForgetGoneDeps, 'fleet' | 'details'>,
    Pick<OpenedForwardsDeps, 'clock' | 'openLocalPage'> {
  readonly documents: Sections
  machine(account: AccountId, id: string): MachineView | undefined
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly report: ReportError
}

const createMachines = (deps: TunnelsDeps, forwards: Forwards) =>
  machineRegistry<MachineTunnels, ServicesView>({
    machine: deps.machine,
    changed: forwards.changed,
    view: ({ account, machine, part }): ServicesView => ({
      account,
      machine,
      link: part.link(),
      report: part.report(),
    }),
    create: (account, machine, changed) =>
      machineTunnels({
        machines: deps.sshMachines,
        account,
        machine,
        changed,
        view: () => deps.machine(account, machine),
        isForwarded: () => forwards.ofMachine(account, machine).length > 0,
        ownPorts: () =>
          forwards.list().flatMap(({ localPort, port }) => (localPort === port ? [] : [localPort])),
        connected() {
          for (const { forward } of forwards.ofMachine(account, machine)) void forward.probe()
        },
        clock: deps.clock,
      }),
  })

/** Lists the services of machines, and forwards ports of this computer to them until the application quits. */
export function createTunnels(deps: TunnelsDeps) {
  const oneAtATime = createMutex()
  const saved = createSavedForwards(deps.documents)
  const forwards = createForwards({
    clock: deps.clock,
    saved,
    tunnelsOf,
    findTunnels,
    machineName: (account, machine) => deps.machine(account, machine)?.name ?? machine,
    ended: settle,
  })
  const machines = createMachines(deps, forwards)
  const { settled, browse } = openedForwards({
    clock: deps.clock,
    forwards,
    openLocalPage: deps.openLocalPage,
    connection: ({ facts }) => findTunnels(facts.account, facts.machine)?.connection(),
  })

  function tunnelsOf(account: AccountId, machine: string): MachineTunnels {
    return machines.of(account, machine)
  }
  function findTunnels(account: AccountId, machine: string): MachineTunnels | undefined {
    return machines.find(account, machine)
  }
  function settle(): void {
    machines.settle()
  }

  async function openAndBrowse({ account, machine, ...request }: CallInput<'tunnel.open'>) {
    const port = plainPort(request.port)
    tunnelsOf(account, machine).ask()
    const entry = await oneAtATime(() => forwards.add(account, machine, port))
    const view = await settled(entry)
    if (request.browse && view.state.kind === 'open') await browse(entry)
    return view
  }

  function stop(id: string): void {
    const facts = forwards.byId(id)?.facts
    if (!facts) return
    saved.removeForward(facts).catch((error: unknown) => deps.report('tunnel.save', error))
    forwards.end((ended) => ended.id === id)
  }

  function forget(account: AccountId, isGone: (machine: string) => boolean): void {
    for (const { part } of machines.remove(account, isGone)) part.close()
    forwards.end((facts) => facts.account === account && isGone(facts.machine))
  }

  const unfollow = followMachines(deps, { machines: machines.entries, settle, forget })
  const stopRestoring = restoreForwards({
    ...deps,
    saved,
    loaded: forwards.changed,
    isOpen: ({ account, machine, port }) => forwards.find(account, machine, port) !== undefined,
    // A restored forward asks the user nothing.
    open: (forward, isWanted) =>
      oneAtATime(async () => {
        if (isWanted()) await forwards.add(forward.account, forward.machine, forward.port, forward)
      }),
  })

  const handlers: HandlersOf<typeof tunnelCalls> = {
    'tunnel.look': ({ account, machine, looking }) => {
      tunnelsOf(account, machine).look(looking)
      return machines.view(account, machine)
    },
    'tunnel.retry': ({ account, machine }) => {
      tunnelsOf(account, machine).retry()
      return null
    },
    'tunnel.forwards': forwards.list,
    'tunnel.open': openAndBrowse,
    'tunnel.save': async ({ forward, saved: isSaved }) => {
      const entry = forwards.byId(forward)
      if (!entry) return forwards.list()
      const { account, machine, port, localPort, name } = entry.facts
      const host = entry.host()
      const written = isSaved
        ? saved.save({ account, machine, port, localPort, name, ...(host !== undefined && { host }) })
        : saved.removeForward(entry.facts)
      forwards.changed()
      await written
      return forwards.list()
    },
    'tunnel.stop': ({ forward }) => {
      stop(forward)
      return forwards.list()
    },
  }
  const events: EventsOf<typeof tunnelEvents> = {
    'tunnel.services': machines.onView,
    'tunnel.changed': forwards.onChange,
  }
  return defineModule({
    handlers,
    events,
    forwards: forwards.list,
    onForwards: forwards.onChange,
    stop,
    async forgetAccount(account: AccountId): Promise<void> {
      forget(account, () => true)
      await saved.remove(account, () => true)
    },
    windowChanged(isOpen: boolean): void {
      if (!isOpen) for (const { part } of machines.entries()) part.look(false)
    },
    close(): void {
      unfollow()
      stopRestoring()
      forwards.close()
      machines.close()
    },
  })
}
