import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, clipboard, ClipboardItem, dialog, nativeTheme, net, Notification, shell } from 'electron'
import { channels, events, streamRows } from '#shared/bridge/index'
import { translate } from '#shared/messages/index'
import { createModules } from '../app/modules'
import { followPreferredLocale } from '../app/preferences'
import { systemClock } from '../core/clock'
import { reportError, reportKeychain } from '../core/report-error'
import { serveStreams } from '../core/serve-stream'
import { openKeychain } from '../store/keychain'
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
  chooseUploads,
} from './choose-file'
import { createConfirmQuit } from './confirm-quit'
import { hostDroppedFiles } from './dropped-files'
import { showFleetTray } from './fleet-tray'
import type { MainWindow } from './main-window'
import { installMenu } from './menu'
import { createNotifier } from './notify'
import { printPdf } from './print-pdf'
import { ownProgram } from './own-program'
import { isLoopbackOnly } from './runtime'
import { sandboxProcess } from './sandbox-process'
import { secretClipboard } from './secret-clipboard'
import { secretMarker } from './secret-marker'
import { createServiceNetwork } from './service-fetch'
import { hostStreams } from './stream-host'
import { createStaysInTray, hasTrayHost, isInTray } from './tray-host'
import { createWindowNotices } from './window-notices'

/** What stands before the modules do. */
export interface OpenedWindow {
  readonly settings: SettingsStore
  readonly window: MainWindow
  /** Where crashes of earlier runs were noted. */
  readonly reportsFolder: string
  readonly isWayland: boolean
  readonly isTrusted: IsTrusted
  /** Whether the person was notified that closing the window leaves the application running. */
  readonly stays: { said(): boolean; say(): void }
}

/**
 * Builds every module around the window that is open already, and connects them to the system: loaded by itself while
 * the window's process starts (docs/performance.md). `ready` gets what answers the window's calls before anything is
 * waited for.
 */
export async function runApplication(
  { settings, window, reportsFolder, isWayland, isTrusted, stays }: OpenedWindow,
  ready: (answer: AnswerCall) => void,
): Promise<void> {
  const platform = process.platform
  const userData = app.getPath('userData')
  const resources = join(app.getAppPath(), 'build')
  const keychain = openKeychain()
  const network = createServiceNetwork()
  keychain.onChange(reportKeychain)
  // Electron 44 and newer write several formats at once.
  const writesFormats = Number.parseInt(process.versions.electron, 10) >= 44
  const secrets = secretClipboard(
    {
      readText: () => clipboard.readText(),
      writeText: (text) => clipboard.writeText(text),
      ...(writesFormats && { writeFormats: (formats) => clipboard.write([new ClipboardItem(formats)]) }),
    },
    platform,
    systemClock.after,
    secretMarker(join(userData, 'copied-secret')),
    () => !isWayland || window.current()?.isFocused() === true,
  )

  const main = createModules(
    {
      runtime: {
        version: app.getVersion(),
        platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
        electron: process.versions.electron,
        systemLocales: app.getPreferredSystemLanguages(),
        loopbackOnly: isLoopbackOnly(process.execPath, { env: process.env, packaged: app.isPackaged }),
      },
      earlierCrash: earlierCrash(reportsFolder, settings.section('crashes', SeenReports), (path) =>
        shell.showItemInFolder(path),
      ),
      userData,
      usualUserData: join(app.getPath('appData'), 'Wheelhouse'),
      home: homedir(),
      platform,
      env: process.env,
      fetch: network.fetch,
      freshFetch: network.freshFetch,
      keychain,
      sandbox: sandboxProcess(join(__dirname, 'sandbox.cjs'), join(userData, 'sandbox')),
      clipboard: { write: (text) => clipboard.writeText(text), copySecret: secrets.copy },
      clock: systemClock,
      program: ownProgram(),
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
      reportError,
      chooseAuthorities: () => chooseAuthorities(window.current()),
      chooseFile: () => chooseIdentityFile(window.current()),
      chooseTarget: (name) => chooseTarget(window.current(), name),
      chooseFolder: () => chooseFolder(window.current()),
      chooseUploads: (what) => chooseUploads(window.current(), what),
      takeDropped: hostDroppedFiles(isTrusted),
      showInFolder: (path) => shell.showItemInFolder(path),
      openLocalPage: (page) => shell.openExternal(localPageUrl(page)),
      printPdf,
    },
    settings,
  )
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
  secrets.onKept(() => {
    const [title, body] = [translate('desktop.secretKept.title'), translate('desktop.secretKept.text')]
    notify({ title, body, act: () => window.show() })
  })

  const applyTheme = (): void => {
    nativeTheme.themeSource = preferences.read().theme
  }
  applyTheme()
  preferences.onChange(applyTheme)
  followPreferredLocale(preferences, app.getPreferredSystemLanguages())
  ready((name, input) => answerCall(main.handlers, name, input))
  hostStreams(serveStreams(streamRows, main.streams), isTrusted)
  main.forwardEvents((name, payload) => {
    const contents = window.current()?.webContents
    // A payload that does not fit the contract is a fault of ours and throws.
    if (contents?.isDestroyed() === false) contents.send(channels.event, name, events[name].parse(payload))
  })
  main.onNotification(({ words, destination }) =>
    notify({ ...words, destination, act: () => window.show(destination) }),
  )
  window.onOpenChange(main.windowChanged)
  if (window.current()) main.windowChanged(true)
  window.onNavigate(appInfo.navigate)
  window.onFocus(secrets.focused)
  secrets.focused()
  // A keychain that was unlocked elsewhere is noticed when the person comes back.
  window.onFocus(() => {
    if (!keychain.state().available) void keychain.check()
  })

  const started = main.start()
  // Reported below, where it is waited for.
  started.catch(() => undefined)
  // To ask for it starts a program, and the tray can wait for the window.
  const trayHost = appInfo.firstPaint().then(() => hasTrayHost(platform))
  const showTray = async (): Promise<boolean> => {
    if (!(await trayHost)) return false
    const images = join(resources, 'tray', ...(platform === 'win32' ? ['windows'] : []))
    showFleetTray(main.modules, images, platform, window.show, { sayInWindow: notices.show, notify })
    return true
  }
  const trayShown = showTray().catch((error: unknown) => {
    reportError('app.start', error)
    return false
  })
  const showMenu = (): void => installMenu(platform, (page) => window.show({ page }))
  showMenu()
  preferences.onChange(showMenu)
  followAppLifecycle({
    staysInTray: createStaysInTray(trayShown, () => isInTray(platform, process.pid), systemClock.after),
    stayed: () => {
      if (stays.said()) return
      const [title, body] = [translate('desktop.stays.title'), translate('desktop.stays.text')]
      notify({ title, body, act: () => window.show() })
      stays.say()
    },
    wakeChanged: main.wakeChanged,
    confirmQuit: main.confirmQuit,
    secrets,
    close: async () => {
      try {
        await main.close()
      } finally {
        await settings.close()
      }
    },
    keychainBusy: keychain.busy,
  })

  for (const notice of settings.notices()) {
    dialog.showErrorBox(
      translate('desktop.settingsNotice.title'),
      translate(`desktop.settingsNotice.${notice.kind}`, {
        file: notice.keptAs ?? '',
        reason: notice.reason,
      }),
    )
  }
  await started
}
