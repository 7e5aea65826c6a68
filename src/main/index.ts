import { homedir, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  nativeTheme,
  net,
  type OpenDialogOptions,
  powerMonitor,
} from 'electron'
import type { AccountId } from '#shared/bridge/account'
import { type AppInfo, type Destination, Settings } from '#shared/bridge/app'
import type { EventName, EventPayload, Handlers } from '#shared/bridge/index'
import type { SecretRef } from '#shared/bridge/secret'
import { failureOf } from '#shared/failure'
import { failureWords } from '#shared/messages/failure-words'
import { translate } from '#shared/messages/index'
import { createAccounts } from './accounts/index'
import { openKeychain } from './accounts/keychain'
import { createApiTokens } from './api-tokens/index'
import { createBareMetal } from './bare-metal/index'
import { createCatalog } from './catalog/index'
import { restockedWords } from './catalog/restocked-words'
import { createFlavorWatches } from './catalog/watches'
import { createCreation } from './creation/index'
import { destinationOf, settledWords } from './creation/notice'
import { hostBridge } from './desktop/bridge-host'
import { installMenu } from './desktop/menu'
import { createNotifier } from './desktop/notify'
import { appOrigin, registerScheme, serveWindow } from './desktop/protocol'
import { isLoopbackOnly } from './desktop/runtime'
import { sandboxProcess } from './desktop/sandbox-process'
import { secretClipboard } from './desktop/secret-clipboard'
import { freshServiceFetch, serviceFetch } from './desktop/service-fetch'
import { createTray } from './desktop/tray'
import { hasTrayHost } from './desktop/tray-host'
import { runningCount, type TrayAction, trayMenu } from './desktop/tray-menu'
import { openWindow, WindowBounds } from './desktop/window'
import { createFirewall } from './firewall/index'
import { createCapabilities } from './fleet/capabilities'
import { createFleet } from './fleet/index'
import { createMachineActions } from './fleet/machine-actions'
import { rereadVolume } from './fleet/reread'
import { createNotes } from './notes/index'
import { createReminders } from './reminders/index'
import { reminderWords } from './reminders/notice'
import { createSsh } from './ssh/index'
import { openSettings } from './store/settings'
import { createVolumes } from './volumes/index'

const now = (): number => Date.now() / 1000
const after = (seconds: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, seconds * 1000)
  return () => clearTimeout(timer)
}

/** Seconds between two attempts to sign in the accounts that could not be reached. */
const resumeEvery = 30

async function start(): Promise<void> {
  const platform = process.platform
  const userData = app.getPath('userData')
  const images = join(app.getAppPath(), 'build', 'tray', ...(platform === 'win32' ? ['windows'] : []))
  let window: BrowserWindow | undefined

  // The parts.
  const settings = openSettings(userData)
  const preferences = settings.section('app', Settings)
  const bounds = settings.section('window', WindowBounds)
  const keychain = openKeychain()
  const loopbackOnly = isLoopbackOnly(process.execPath, process.env)
  const sandbox = sandboxProcess(join(__dirname, 'sandbox.cjs'), join(userData, 'sandbox'))
  const accounts = createAccounts({
    fetch: serviceFetch(),
    freshFetch: freshServiceFetch(),
    keychain,
    settings,
    now,
    loopbackOnly,
    online: () => net.isOnline(),
    startSandbox: async (secret) => {
      if (secret.fresh) await Promise.all(sandboxAccounts().map(ssh.forgetAccount))
      return sandbox.start(secret)
    },
    onForget: async (account) => {
      if (sandboxAccounts().includes(account)) await sandbox.forget()
      await ssh.forgetAccount(account)
      await capabilities.forgetAccount(account)
      await notes.forgetAccount(account)
      await reminders.forgetAccount(account)
      await creation.forgetAccount(account)
      await watches.forgetAccount(account)
      await bareMetal.forgetAccount(account)
      await volumes.forgetAccount(account)
    },
  })
  const sandboxAccounts = () => accounts.view().accounts.flatMap(({ id, sandbox }) => (sandbox ? [id] : []))
  const fleet = createFleet({ accounts, now, after, online: () => net.isOnline() })
  const capabilities = createCapabilities({
    accounts,
    settings,
    now,
    after,
    report: (action, error) => reportFault(action)(error),
  })
  const catalog = createCatalog({ accounts, now })
  const watches = createFlavorWatches({
    accounts,
    catalog,
    settings,
    now,
    after,
    online: () => net.isOnline(),
    report: (action, error) => reportFault(action)(error),
  })
  const bareMetal = createBareMetal({ accounts, settings, now, after, online: () => net.isOnline() })
  const apiTokens = createApiTokens({ accounts, capabilities, now })
  const firewall = createFirewall({ accounts, settings, interfaces: networkInterfaces })
  const volumes = createVolumes({
    accounts,
    settings,
    extensions: {
      mayList: (account) => capabilities.capability(account, 'volume-list') !== 'no',
      list: (account, page) =>
        capabilities.using(account, 'volume-list', () => accounts.service(account).volumes.list(page)),
      remove: (account, volume) => {
        const service = accounts.service(account)
        return capabilities.using(
          account,
          'delete-volume',
          () => service.volumes.remove(volume),
          () => rereadVolume(service, volume),
        )
      },
    },
    regions: async (account) => (await catalog.regions({ account, kind: 'machine' })).items,
    now,
    after,
    online: () => net.isOnline(),
    report: (action, error) => reportFault(action)(error),
  })
  const ssh = createSsh({
    folder: userData,
    home: homedir(),
    platform,
    env: process.env,
    settings,
    terminal: () => preferences.read().terminal,
    machine: (account, id) => fleet.view(account, id) ?? bareMetal.view(account, id),
    defaults: (account) => accounts.sshDefaults(account),
    chooseFile,
  })
  const secrets = secretClipboard(clipboard, after)
  const notify = createNotifier()
  const machineActions = createMachineActions({ accounts, capabilities, fleet })
  const notes = createNotes(settings)
  const reminders = createReminders({
    settings,
    now,
    after,
    nameOf: (account, machine) => fleet.view(account, machine)?.name,
    tell: (reminder) => {
      push('reminders.due', reminder)
      notify({
        ...reminderWords(reminder, translate),
        act: () => showWindow({ page: 'machines', account: reminder.account, machine: reminder.machine }),
      })
    },
    report: (action, error) => reportFault(action)(error),
  })
  const creation = createCreation({
    accounts,
    fleet: {
      view: fleet.view,
      known: (account) => fleet.snapshot(account)?.machines.map(({ id }) => id) ?? [],
      onChange: fleet.onChange,
      refresh: async (account) => fleet.handlers['fleet.refresh']({ account }),
    },
    settings,
    keys: { home: homedir(), platform, env: process.env },
    now,
    after,
    useIdentity: async (account, machine, identityFile) => {
      await ssh.handlers['ssh.configure']({ account, machine, identityFile })
    },
    bareMetalCreated: bareMetal.created,
    settled: (created) =>
      notify({
        ...settledWords(created, translate),
        act: () => showWindow(destinationOf(created)),
      }),
    report: (action, error) => reportFault(action)(error),
  })

  function plainSecret(account: AccountId, secret: SecretRef): string | Promise<string> {
    if (secret.kind === 'api-token') return apiTokens.secret(account, secret.token)
    const holder = bareMetal.view(account, secret.machine) ? bareMetal : fleet
    return holder.secret(account, secret)
  }

  // What the window asks.
  const info = (): AppInfo => {
    const state = accounts.keychainState()
    return {
      version: app.getVersion(),
      platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
      electron: process.versions.electron,
      loopbackOnly,
      keychain: state.available ? 'available' : 'unavailable',
      keychainReason: state.reason,
    }
  }
  const handlers: Handlers = {
    ...accounts.handlers,
    ...capabilities.handlers,
    ...apiTokens.handlers,
    ...bareMetal.handlers,
    ...catalog.handlers,
    ...creation.handlers,
    ...firewall.handlers,
    ...fleet.handlers,
    ...machineActions.handlers,
    ...notes.handlers,
    ...reminders.handlers,
    ...ssh.handlers,
    ...watches.handlers,
    ...volumes.handlers,
    'app.info': info,
    'settings.read': () => preferences.read(),
    'settings.change': async (change) => {
      // A change holds at once, even where the disk refuses to keep it.
      const kept = preferences.change((value) => Settings.parse({ ...value, ...change }))
      nativeTheme.themeSource = preferences.read().theme
      push('settings.changed', preferences.read())
      return kept
    },
    'clipboard.write': ({ text }) => clipboard.writeText(text),
    'secret.reveal': ({ account, secret }) => plainSecret(account, secret),
    'secret.copy': async ({ account, secret }) => secrets.copy(await plainSecret(account, secret)),
  }
  const bridge = hostBridge(handlers, (contents) => contents === window?.webContents, appOrigin)

  function push<Name extends EventName>(name: Name, payload: EventPayload<Name>): void {
    if (window) bridge.push(window.webContents, name, payload)
  }
  accounts.onChange((view) => push('accounts.changed', view))
  accounts.onKeychainChange(() => push('app.changed', info()))
  capabilities.onChange((account, known) => push('capabilities.changed', { account, capabilities: known }))
  fleet.onChange((change) => push('fleet.changed', change))
  fleet.onGone(({ account, machines, expected }) => {
    const ids = machines.map(({ id }) => id)
    void notes.forget(account, ids).catch(reportFault('notes.forget'))
    void reminders.forget(account, ids).catch(reportFault('reminders.forget'))
    if (!expected)
      push('machines.gone', { account, machines: machines.map(({ id, name }) => ({ id, name })) })
  })
  notes.onChange((account, kept) => push('notes.changed', { account, notes: kept }))
  reminders.onChange((account, kept) => push('reminders.changed', { account, reminders: kept }))
  volumes.onChange((change) => push('volumes.changed', change))
  bareMetal.onChange((change) => push('bareMetal.changed', change))
  watches.onChange((change) => {
    push('catalog.watchesChanged', change)
    const account = accounts.view().accounts.find(({ id }) => id === change.account)?.label ?? ''
    for (const watch of change.restocked) {
      notify({
        ...restockedWords(watch, account, translate),
        act: () =>
          showWindow({ page: 'catalog', account: change.account, kind: watch.kind, find: watch.name }),
      })
    }
  })
  creation.onChange((account, creations) => push('creation.changed', { account, creations }))

  // The window.
  nativeTheme.themeSource = preferences.read().theme
  serveWindow(
    join(__dirname, '..', 'renderer'),
    app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
  )
  const trayHost = await hasTrayHost(platform)

  function showWindow(destination?: Destination): void {
    if (!window) {
      const opened = openWindow({
        url: `${appOrigin}/index.html`,
        preload: join(__dirname, '..', 'preload', 'index.cjs'),
        icon: join(app.getAppPath(), 'build', 'icon.png'),
        bounds: bounds.read(),
        keepBounds: (next) => void bounds.change(() => next).catch(reportFault('keep-window-bounds')),
      })
      window = opened
      opened.on('closed', () => {
        window = undefined
        fleet.windowChanged(false)
        watches.windowChanged(false)
        bareMetal.windowChanged(false)
        volumes.windowChanged(false)
      })
      // A keychain that was unlocked meanwhile is noticed when the person comes back.
      opened.on('focus', () => {
        if (!keychain.state().available) void keychain.check()
      })
      fleet.windowChanged(true)
      watches.windowChanged(true)
      bareMetal.windowChanged(true)
      volumes.windowChanged(true)
      if (destination) opened.webContents.once('did-finish-load', () => push('app.navigate', destination))
      return
    }
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    if (destination) push('app.navigate', destination)
  }

  async function chooseFile(): Promise<string | null> {
    const options = {
      title: translate('desktop.chooseIdentity.title'),
      buttonLabel: translate('desktop.chooseIdentity.button'),
      defaultPath: join(homedir(), '.ssh'),
      properties: ['openFile', 'showHiddenFiles'],
    } satisfies OpenDialogOptions
    const choice = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
    return choice.filePaths[0] ?? null
  }

  // The tray.
  function act(action: TrayAction): void {
    switch (action.do) {
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
      case 'ssh':
        ssh.connect(action.account, action.machine).catch((error: unknown) => {
          const name = fleet.view(action.account, action.machine)?.name ?? action.machine
          const words = failureWords(failureOf(error, 'ssh.connect'), translate)
          showWindow({ page: 'machines', account: action.account, machine: action.machine })
          dialog.showErrorBox(
            translate('desktop.sshFailed.title', { machine: name }),
            [words.title, words.text, words.next].join('\n\n'),
          )
        })
    }
  }
  if (trayHost) {
    const tray = createTray(images, platform, act)
    const showTray = () => {
      const view = accounts.view()
      const fleets = view.accounts.flatMap((account) => fleet.snapshot(account.id) ?? [])
      tray.show(runningCount(fleets), trayMenu(view, fleets))
    }
    accounts.onChange(showTray)
    fleet.onChange(showTray)
    showTray()
  }
  installMenu(platform, () => showWindow({ page: 'settings' }))

  // The life of the application.
  app.on('window-all-closed', () => {
    if (!trayHost) app.quit()
  })
  app.on('second-instance', () => showWindow())
  app.on('activate', () => showWindow())
  // In a turn of its own: while the event that was prevented is still being handled, Electron ignores app.quit().
  const quitAgain = (): void => void setTimeout(() => app.quit(), 0)
  app.on('before-quit', (event) => {
    if (!secrets.pending()) return
    event.preventDefault()
    void secrets.clear().finally(quitAgain)
  })
  let saved = false
  app.on('will-quit', (event) => {
    if (saved) return
    saved = true
    fleet.close()
    reminders.close()
    capabilities.close()
    volumes.close()
    creation.close()
    watches.close()
    bareMetal.close()
    sandbox.close()
    // Where the window was is told as it closes: the process must not end before that is on disk.
    event.preventDefault()
    void settings.flushed().finally(quitAgain)
  })
  // A call to the keychain blocks a thread for as long as the system asks for its password, and Node waits for all of
  // its threads as it ends: whoever quits would have to answer a question of an application that is gone.
  app.on('quit', () => {
    if (keychain.busy()) process.kill(process.pid, 'SIGKILL')
  })
  powerMonitor.on('suspend', () => {
    fleet.wakeChanged(false)
    watches.wakeChanged(false)
    bareMetal.wakeChanged(false)
    volumes.wakeChanged(false)
  })
  powerMonitor.on('resume', () => {
    fleet.wakeChanged(true)
    watches.wakeChanged(true)
    bareMetal.wakeChanged(true)
    volumes.wakeChanged(true)
    void accounts.resume()
  })

  showWindow()
  for (const notice of settings.notices()) {
    dialog.showErrorBox(
      translate('desktop.settingsNotice.title'),
      translate(`desktop.settingsNotice.${notice.kind}`, {
        file: notice.keptAs ?? '',
        reason: notice.reason,
      }),
    )
  }
  reminders.start()
  await accounts.resume()
  await creation.resume()
  // Accounts that could not be reached are tried again; what is signed in, or was refused, is left alone.
  const keepResuming = (): void => void after(resumeEvery, () => void accounts.resume().finally(keepResuming))
  keepResuming()
}

const reportFault = (action: string) => (error: unknown) =>
  process.stderr.write(`wheelhouse: ${JSON.stringify(failureOf(error, action))}\n`)

// --no-sandbox is what a start as root needs (scripts/launch.mjs); enableSandbox() would undo it halfway.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerScheme()
if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      reportFault('start')(error)
      dialog.showErrorBox(
        translate('desktop.startFailed.title'),
        failureWords(failureOf(error, 'start'), translate).text,
      )
      app.exit(1)
    })
} else {
  app.quit()
}
