import { app, dialog } from 'electron'
import type { Destination } from '#shared/bridge/app'
import type { Modules } from '../app/modules'
import { machineCosts } from '../alerts/machine-costs'
import { systemClock } from '../core/clock'
import { reportError } from '../core/report-error'
import { type ConnectFromTrayDeps, createConnectFromTray } from './connect-from-tray'
import { createStopMachine } from './stop-machine'
import { createTray } from './tray'
import { createTrayFacts } from './tray-facts'
import { ownPerHour, runningCount, type TrayAction, trayMenu } from './tray-menu'

/** Seconds in which changes are gathered: one reading of the service changes several things, one after the other. */
const gathering = 1

/** The icon in the tray, which shows the same snapshot as the window. `images` is the folder of its icons. */
export function showFleetTray(
  {
    accounts,
    bareMetal,
    costs,
    fleet,
    gpus,
    machineActions,
    metrics,
    preferences,
    sessions,
    tunnels,
    waste,
  }: Pick<
    Modules,
    | 'accounts'
    | 'bareMetal'
    | 'costs'
    | 'fleet'
    | 'gpus'
    | 'machineActions'
    | 'metrics'
    | 'preferences'
    | 'sessions'
    | 'tunnels'
    | 'waste'
  >,
  images: string,
  platform: NodeJS.Platform,
  showWindow: (destination?: Destination) => void,
  notices: Pick<ConnectFromTrayDeps, 'sayInWindow' | 'notify'>,
): void {
  const sayFailed = (title: string, text: string): void => dialog.showErrorBox(title, text)
  const stop = createStopMachine({
    nameOf: (account, machine) => fleet.view(account, machine)?.name ?? machine,
    ask: (options) => dialog.showMessageBox(options),
    stop: (account, machine) => machineActions.power(account, machine, 'stop'),
    sayFailed,
  })
  const connect = createConnectFromTray({
    ...notices,
    connect: sessions.connect,
    showWindow,
    sayFailed,
    place(account, machine) {
      // Where both have an id, the machine is the one that is connected to.
      const instance = fleet.view(account, machine) ? undefined : bareMetal.view(account, machine)
      return instance
        ? { name: instance.name ?? machine, destination: { page: 'bare-metal', account, instance: machine } }
        : {
            name: fleet.view(account, machine)?.name ?? machine,
            destination: { page: 'machines', account, machine },
          }
    },
  })

  function act(action: TrayAction): void {
    switch (action.kind) {
      case 'open':
        return showWindow()
      case 'quit':
        return app.quit()
      case 'show':
        return showWindow({
          page: 'machines',
          account: action.account,
          ...(action.machine ? { machine: action.machine } : {}),
        })
      case 'show-waste':
        return showWindow({ page: 'overview', account: action.account })
      case 'show-bare-metal':
        return showWindow({ page: 'bare-metal', account: action.account, instance: action.instance })
      case 'stop-forward':
        return tunnels.stop(action.forward)
      case 'stop':
        return void stop(action.account, action.machine).catch((error: unknown) =>
          reportError('machine.stop', error),
        )
      case 'ssh':
        return void connect(action.account, action.machine).catch((error: unknown) =>
          reportError('ssh.connect', error),
        )
    }
  }
  const tray = createTray(images, platform, act)
  const facts = createTrayFacts({
    costsOf: machineCosts(costs.spending, reportError),
    gpus: (account, machine) => {
      const report = gpus.report(account, machine)
      return report?.kind === 'gpus' ? report.gpus : []
    },
    cpu: metrics.loads.known,
  })
  let isDue = false
  let isOver = false
  const known = () => {
    const view = accounts.view()
    const fleets = view.accounts.flatMap((account) => fleet.snapshot(account.id) ?? [])
    const spending = view.accounts.flatMap((account) => costs.spending.view(account.id) ?? [])
    return { view, fleets, spending }
  }
  const menu = () => {
    const { view, fleets, spending } = known()
    return trayMenu(
      view,
      fleets,
      spending,
      gpus.idle.of,
      Date.now() / 1000,
      bareMetal.views,
      waste.view,
      facts.of,
      tunnels.forwards(),
    )
  }
  const show = () => {
    const { fleets, spending } = known()
    tray.show(runningCount(fleets), ownPerHour(spending), menu)
  }
  const changed = (): void => {
    if (isDue) return
    isDue = true
    systemClock.after(gathering, () => {
      isDue = false
      if (!isOver) show()
    })
  }
  const readCosts = async (account: string): Promise<void> => {
    const running = (fleet.snapshot(account)?.machines ?? []).map(({ id }) => id)
    if (running.length === 0) return
    await facts.read(account, running)
    changed()
  }
  app.once('will-quit', () => (isOver = true))
  accounts.onChange(changed)
  costs.spending.onChange((view) => {
    changed()
    readCosts(view.account).catch((error: unknown) => reportError('cost.tray', error))
  })
  fleet.onChange(changed)
  bareMetal.onChange(changed)
  gpus.idle.onChange(changed)
  waste.onChange(changed)
  tunnels.onForwards(changed)
  preferences.onChange(changed)
  show()
}
