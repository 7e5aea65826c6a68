import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, clipboard, ClipboardItem, dialog, nativeTheme, net, Notification, shell } from 'electron'
import type { NotificationKind } from '#shared/bridge/app'
import { channels, streamRows } from '#shared/bridge/index'
import { translate } from '#shared/messages/index'
import type { HostEnvironment } from '../app/host-environment'
import { createModules, type Modules } from '../app/modules'
import { followPreferredLocale, type Preferences } from '../app/preferences'
import { systemClock } from '../core/clock'
import { serveCommandLine } from '../command-line/server'
import { reportError } from '../core/report-error'
import { serveStreams } from '../core/serve-stream'
import type { Keychain } from '../store/keychain'
import type { Starts } from '../core/start-arguments'
import type { SettingsStore } from '../store/settings'
import { localPageUrl } from '../tunnels/local-page'
import { loadPty } from '../terminals/pty'
import { answerCall } from './answer-call'
import { followAppLifecycle } from './app-lifecycle'
import { appUpdater } from './app-updater'
import type { AnswerCall, IsTrusted } from './bridge-host'
import { earlierCrash, SeenReports } from './crash-reports'
import {
  chooseAuthorities,
  chooseFolder,
  chooseIdentityFile,
  chooseTarget,
  chooseTemplate,
  chooseUploads,
} from './choose-file'
import { createConfirmQuit } from './confirm-quit'
import { hostDroppedFiles } from './dropped-files'
import { showFleetTray } from './fleet-tray'
import { stayHidden } from './hidden-start'
import { type LinkPlaces, openLink } from './links'
import { hostLoginItem } from './login-item'
import type { MainWindow } from './main-window'
import { installMenu } from './menu'
import { createNotifier, type Notice } from './notify'
import { printPdf } from './print-pdf'
import { ownProgram } from './own-program'
import { isLoopbackOnly } from './runtime'
import { sandboxProcess } from './sandbox-process'
import { secretClipboard } from './secret-clipboard'
import { secretMarker } from './secret-marker'
import { createServiceNetwork } from './service-fetch'
import { hostStreams } from './stream-host'
import { hasTrayHost, isInTray } from './tray-host'
import { createTrayPresence } from './tray-presence'
import { createWindowNotices } from './window-notices'

/** Parts of the application that exist before the modules. */
export interface OpenedWindow {
  readonly settings: SettingsStore
  readonly keychain: Keychain
  readonly window: MainWindow
  readonly starts: Starts
  /** Started without a window. */
  readonly isHidden: boolean
  readonly reportsFolder: string
  readonly isWayland: boolean
  readonly isTrusted: IsTrusted
  /** Memory of the notice that the application keeps running without a window. */
  readonly stayNotice: { wasShown(): boolean; markShown(): void }
}

type CopiedSecrets = ReturnType<typeof secretClipboard>
type ServiceNetwork = ReturnType<typeof createServiceNetwork>

function createCopiedSecrets({ window, isWayland }: OpenedWindow): CopiedSecrets {
  // Electron 44 and newer write several formats at once.
  const writesFormats = Number.parseInt(process.versions.electron, 10) >= 44
  return secretClipboard(
    {
      readText: () => clipboard.readText(),
      writeText: (text) => clipboard.writeText(text),
      ...(writesFormats && { writeFormats: (formats) => clipboard.write([new ClipboardItem(formats)]) }),
    },
    process.platform,
    systemClock.after,
    secretMarker(join(app.getPath('userData'), 'copied-secret')),
    () => !isWayland || window.current()?.isFocused() === true,
  )
}

function hostEnvironment(
  { settings, keychain, window, reportsFolder, isTrusted }: OpenedWindow,
  network: ServiceNetwork,
  secrets: CopiedSecrets,
): HostEnvironment {
  const platform = process.platform
  const folder = app.getPath('userData')
  return {
    runtime: {
      version: app.getVersion(),
      platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
      electron: process.versions.electron,
      systemLocales: app.getPreferredSystemLanguages(),
      loopbackOnly: isLoopbackOnly(process.execPath, { env: process.env, packaged: app.isPackaged }),
    },
    quit: () => app.quit(),
    showWindow: window.show,
    earlierCrash: earlierCrash(reportsFolder, settings.section('crashes', SeenReports), (path) =>
      shell.showItemInFolder(path),
    ),
    folder,
    usualFolder: join(app.getPath('appData'), 'Wheelhouse'),
    home: homedir(),
    platform,
    env: process.env,
    fetch: network.fetch,
    freshFetch: network.freshFetch,
    keychain,
    sandbox: sandboxProcess(join(__dirname, 'sandbox.cjs'), join(folder, 'sandbox')),
    clipboard: {
      write: (text) => clipboard.writeText(text),
      paste: () => window.current()?.webContents.paste(),
      copySecret: secrets.copy,
    },
    clock: systemClock,
    program: ownProgram(),
    loginItem: hostLoginItem(),
    loadPty,
    confirmQuit: (unfinished) =>
      createConfirmQuit({
        unfinished,
        showWindow: () => window.show(),
        async ask(options) {
          const current = await window.shown()
          return current ? dialog.showMessageBox(current, options) : dialog.showMessageBox(options)
        },
        report: reportError,
      }),
    updates: (end) => appUpdater(network, end, app.isPackaged),
    online: () => net.isOnline(),
    report: reportError,
    chooseAuthorities: () => chooseAuthorities(window.current()),
    chooseFile: () => chooseIdentityFile(window.current()),
    chooseTemplate: () => chooseTemplate(window.current()),
    chooseTarget: (name) => chooseTarget(window.current(), name),
    chooseFolder: () => chooseFolder(window.current()),
    chooseUploads: (kind) => chooseUploads(window.current(), kind),
    takeDropped: hostDroppedFiles(isTrusted),
    showInFolder: (path) => shell.showItemInFolder(path),
    openLocalPage: (page) => shell.openExternal(localPageUrl(page)),
    printPdf,
  }
}

function followTheme(preferences: Preferences): void {
  const apply = (): void => {
    nativeTheme.themeSource = preferences.read().theme
  }
  apply()
  preferences.onThemeChange(apply)
}

const trayImages = (): string =>
  join(app.getAppPath(), 'build', process.platform === 'win32' ? join('tray', 'windows') : 'tray')

/** Asks before the application quits and stops watching limits and reminders, since this desktop shows no tray icon. */
async function confirmUnwatched(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: translate('desktop.unwatched.title'),
    detail: translate('desktop.unwatched.text'),
    buttons: [translate('desktop.unwatched.quit'), translate('desktop.unwatched.minimize')],
    defaultId: 1,
    cancelId: 1,
  })
  return response === 0
}

/** Machines for links. The selected account comes first. */
const linkPlaces = ({ accounts, fleet }: Modules): LinkPlaces => ({
  accounts() {
    const { accounts: all, selected } = accounts.view()
    const ids = all.map(({ id }) => id)
    return ids.toSorted((one, other) => Number(other === selected) - Number(one === selected))
  },
  hasMachine: (account, id) => fleet.view(account, id) !== undefined,
  refresh: fleet.refresh,
})

function showSettingsNotices(settings: SettingsStore): void {
  for (const notice of settings.notices()) {
    dialog.showErrorBox(
      translate('desktop.settingsNotice.title'),
      translate(`desktop.settingsNotice.${notice.kind}`, {
        file: notice.keptAs ?? '',
        reason: notice.reason,
      }),
    )
  }
}

/** Answers the command line; resolves to a function that ends it. */
const answerCommands = (answer: AnswerCall) =>
  serveCommandLine({
    folder: app.getPath('userData'),
    platform: process.platform,
    version: app.getVersion(),
    now: systemClock.now,
    answer,
  })

/**
 * Builds the modules while the window's process starts, and connects them to the window and the system
 * (docs/performance.md). `ready` receives the handler of the window's calls before the first await.
 */
export async function runApplication(
  opened: OpenedWindow,
  ready: (answer: AnswerCall) => void,
): Promise<void> {
  const { settings, keychain, window, starts, isHidden, isTrusted, stayNotice } = opened
  const platform = process.platform
  const network = createServiceNetwork()
  const secrets = createCopiedSecrets(opened)
  const main = createModules(hostEnvironment(opened, network, secrets), settings)
  const { appInfo, preferences } = main.modules
  network.use(main.modules.networkAccess)
  const notices = createWindowNotices(window.isLoaded, appInfo.showNotice)
  window.onLoaded(notices.loaded)
  const notify = createNotifier({
    platform,
    isSupported: () => Notification.isSupported(),
    create: (words) => new Notification(words),
    after: systemClock.after,
    showInWindow: notices.show,
  })
  /** Shows a notice in the window if the user turned its kind of notification off. */
  const notifyOf = (kind: NotificationKind, notice: Notice): void =>
    main.modules.notifications.isMuted(kind) ? notices.show(notice) : notify(notice)
  const notifyAbout = (kind: NotificationKind, subject: 'secretKept' | 'stays'): void =>
    notifyOf(kind, {
      title: translate(`desktop.${subject}.title`),
      body: translate(`desktop.${subject}.text`),
      act: () => window.show(),
    })
  secrets.onOverdue(() => notifyAbout('secret', 'secretKept'))

  followTheme(preferences)
  const showMenu = (): void => installMenu(platform, (page) => window.show({ page }))
  await followPreferredLocale(preferences, app.getPreferredSystemLanguages(), showMenu)
  const answer: AnswerCall = (name, input) => answerCall(main.handlers, name, input)
  ready(answer)
  hostStreams(serveStreams(streamRows, main.streams), isTrusted)
  main.forwardEvents((name, payload) => {
    const contents = window.current()?.webContents
    if (contents?.isDestroyed() === false) contents.send(channels.event, name, payload)
  })
  main.modules.notifications.onRequest(({ words, destination }) =>
    notify({ ...words, destination, act: () => window.show(destination) }),
  )
  window.onOpenChange(main.windowChanged)
  if (window.current()) main.windowChanged(true)
  window.onNavigate(appInfo.navigate)
  window.onFocus(secrets.focused)
  secrets.focused()
  // Detects a keychain that the user unlocked in another program.
  window.onFocus(() => {
    if (!keychain.state().available) void keychain.check()
  })

  const started = main.start()
  // An early rejection is reported by the await below.
  started.catch(() => undefined)
  const tray = createTrayPresence({
    hasHost: () => hasTrayHost(platform),
    showIcon: () =>
      showFleetTray(main.modules, trayImages(), platform, window.show, {
        notifyInWindow: notices.show,
        notify: (notice) => notifyOf('connection', notice),
      }),
    isIconShown: () => isInTray(platform, process.pid),
    hasWindow: () => window.current() !== undefined,
    lost: () => window.show(),
    after: systemClock.after,
    report: reportError,
  })
  // After the first paint, since the search for a program that shows icons starts a program.
  void appInfo.firstPaint().then(tray.start)
  const places = linkPlaces(main.modules)
  // Before, the page could miss it.
  void appInfo.firstPaint().then(() => starts.listen((args) => void openLink(args, places, window.show)))
  const commandLine = appInfo.firstPaint().then(() => answerCommands(answer))
  commandLine.catch((error: unknown) => reportError('app.start', error))
  showMenu()
  followAppLifecycle({
    staysInTray: async () => {
      await appInfo.firstPaint()
      return tray.isReachable()
    },
    confirmUnwatched: async () =>
      !(main.modules.alerts.hasLimits() || main.modules.reminders.hasPending()) || confirmUnwatched(),
    showMinimized: () => void window.showMinimized(),
    startHidden: () => {
      if (!isHidden) return false
      void stayHidden({
        isReachable: tray.isReachable,
        hasWindow: () => window.current() !== undefined,
        stayed: tray.watch,
        showMinimized: () => void window.showMinimized(),
        after: systemClock.after,
      })
      return true
    },
    stayed: () => {
      tray.watch()
      if (stayNotice.wasShown()) return
      notifyAbout('background', 'stays')
      stayNotice.markShown()
    },
    wakeChanged: main.wakeChanged,
    confirmQuit: main.confirmQuit,
    secrets,
    close: async () => {
      try {
        await (
          await commandLine.catch(() => undefined)
        )?.()
        await main.close()
      } finally {
        await settings.close()
      }
    },
    keychainBusy: keychain.busy,
  })
  showSettingsNotices(settings)
  await started
}
