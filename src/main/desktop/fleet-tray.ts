import { app, dialog } from 'electron'
import type { Destination } from '#shared/bridge/app'
import { failureOf } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import type { Modules } from '../app/modules'
import { createTray } from './tray'
import { ownPerHour, runningCount, type TrayAction, trayMenu } from './tray-menu'

/** The icon in the tray, which shows the same snapshot as the window. `images` is the folder of its icons. */
export function showFleetTray(
  {
    accounts,
    bareMetal,
    costs,
    fleet,
    gpus,
    preferences,
    ssh,
    waste,
  }: Pick<Modules, 'accounts' | 'bareMetal' | 'costs' | 'fleet' | 'gpus' | 'preferences' | 'ssh' | 'waste'>,
  images: string,
  platform: NodeJS.Platform,
  showWindow: (destination?: Destination) => void,
): void {
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
      case 'ssh':
        ssh.connect(action.account, action.machine).catch((error: unknown) => {
          const { account, machine } = action
          const instance = bareMetal.view(account, machine)
          const name = instance?.name ?? fleet.view(account, machine)?.name ?? machine
          const words = failureText(failureOf(error, 'ssh.connect'), translate)
          showWindow(
            instance
              ? { page: 'bare-metal', account, instance: machine }
              : { page: 'machines', account, machine },
          )
          dialog.showErrorBox(
            translate('desktop.sshFailed.title', { machine: name }),
            [words.title, words.text, words.next].join('\n\n'),
          )
        })
    }
  }
  const tray = createTray(images, platform, act)
  const show = () => {
    const view = accounts.view()
    const fleets = view.accounts.flatMap((account) => fleet.snapshot(account.id) ?? [])
    const spending = view.accounts.flatMap((account) => costs.spending.view(account.id) ?? [])
    tray.show(
      runningCount(fleets),
      ownPerHour(spending),
      trayMenu(view, fleets, spending, gpus.idle.of, Date.now() / 1000, bareMetal.views, waste.view),
    )
  }
  accounts.onChange(show)
  costs.spending.onChange(show)
  fleet.onChange(show)
  bareMetal.onChange(show)
  gpus.idle.onChange(show)
  waste.onChange(show)
  preferences.onChange(show)
  show()
}
