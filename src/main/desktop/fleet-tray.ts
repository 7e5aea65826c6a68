import { app, dialog } from 'electron'
import type { Destination } from '#shared/bridge/app'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import type { Modules } from '../app/modules'
import { machineCosts } from '../alerts/machine-costs'
import { systemClock } from '../core/clock'
import { failureOf } from '../core/failure-of'
import { reportError } from '../core/report-error'
import { type ConnectFromTrayDeps, createConnectFromTray } from './connect-from-tray'
import { createTray } from './tray'
import { createTrayFacts } from './tray-facts'
import type { TrayAction } from './tray-item'
import { ownPerHour, runningCount, trayMenu } from './tray-menu'

/** Delay that gathers changes: one read of the service changes several things in a row. */
const gatherSeconds = 1

type TrayModules = Pick<
  Modules,
  | 'accounts'
  | 'alerts'
  | 'bareMetal'
  | 'costs'
  | 'endRules'
  | 'fleet'
  | 'gpus'
  | 'jobs'
  | 'metrics'
  | 'preferences'
  | 'sessions'
  | 'tunnels'
  | 'waste'
>
type ShowWindow = (destination?: Destination) => void
type TrayNotices = Pick<ConnectFromTrayDeps, 'notifyInWindow' | 'notify'>

function createTrayAct(
  { bareMetal, endRules, fleet, sessions, tunnels }: TrayModules,
  showWindow: ShowWindow,
  notices: TrayNotices,
): (action: TrayAction) => void {
  const showError = (title: string, text: string): void => dialog.showErrorBox(title, text)
  const nameOf = (account: string, machine: string): string => fleet.view(account, machine)?.name ?? machine
  const connect = createConnectFromTray({
    ...notices,
    connect: sessions.connect,
    showWindow,
    showError,
    place(account, machine) {
      // Connections prefer the machine if a bare metal instance has the same id.
      const instance = fleet.view(account, machine) ? undefined : bareMetal.view(account, machine)
      return instance
        ? { name: instance.name ?? machine, destination: { page: 'bare-metal', account, instance: machine } }
        : { name: nameOf(account, machine), destination: { page: 'machines', account, machine } }
    },
  })

  const { 'endRules.extend': extendEnd, 'endRules.cancel': cancelEnd } = endRules.handlers
  async function changeEnd(
    change: typeof extendEnd,
    order: { account: string; rule: string },
  ): Promise<void> {
    try {
      await change(order)
    } catch (error) {
      const { title, text } = failureText(failureOf(error, 'endRules.change'), translate)
      showError(title, text)
    }
  }

  return (action) => {
    switch (action.kind) {
      case 'show':
        return showWindow(action.destination ?? undefined)
      case 'quit':
        return app.quit()
      case 'stop-forward':
        return tunnels.stop(action.forward)
      case 'extend-end':
        return void changeEnd(extendEnd, action)
      case 'cancel-end':
        return void changeEnd(cancelEnd, action)
      case 'ssh':
        return void connect(action.account, action.machine).catch((error: unknown) =>
          reportError('ssh.connect', error),
        )
    }
  }
}

/** Shows the tray icon with the same snapshot as the window. `images`: folder of its icons. */
export function showFleetTray(
  modules: TrayModules,
  images: string,
  platform: NodeJS.Platform,
  showWindow: ShowWindow,
  notices: TrayNotices,
): void {
  const { accounts, alerts, bareMetal, costs, endRules, fleet, gpus, jobs, metrics } = modules
  const { preferences, tunnels, waste } = modules
  const tray = createTray(images, platform, createTrayAct(modules, showWindow, notices))
  const facts = createTrayFacts({
    costsOf: machineCosts(costs.spending, reportError),
    gpus: (account, machine) => {
      const report = gpus.report(account, machine)
      return report?.kind === 'gpus' ? report.gpus : []
    },
    cpu: metrics.loads.known,
    end: endRules.of,
    now: systemClock.now,
  })
  let isDue = false
  let isOver = false
  const snapshot = () => {
    const view = accounts.view()
    const fleets = view.accounts.flatMap((account) => fleet.snapshot(account.id) ?? [])
    const spending = view.accounts.flatMap((account) => costs.spending.view(account.id) ?? [])
    return { view, fleets, spending }
  }
  const menu = () => {
    const { view, fleets, spending } = snapshot()
    return trayMenu(view, fleets, {
      alerts: alerts.list,
      ends: endRules.list,
      jobs: jobs.list,
      jobsPage: jobs.page,
      now: systemClock.now(),
      spending,
      idle: gpus.idle.of,
      instances: bareMetal.views,
      waste: waste.view,
      factsOf: facts.of,
      forwards: tunnels.forwards(),
    })
  }
  const show = () => {
    const { fleets, spending } = snapshot()
    tray.show(runningCount(fleets), ownPerHour(spending), menu)
  }
  const changed = (): void => {
    if (isDue) return
    isDue = true
    systemClock.after(gatherSeconds, () => {
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
  endRules.onChange(changed)
  alerts.events['alerts.changed'](changed)
  jobs.events['jobs.changed'](changed)
  tunnels.onForwards(changed)
  preferences.onChange(changed)
  show()
}
