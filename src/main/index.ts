import { homedir } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import { app, clipboard, ClipboardItem, dialog, nativeTheme, net, Notification, shell } from 'electron'
import { streamRows } from '#shared/bridge/index'
import { failureOf } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { openKeychain } from './store/keychain'
import { createModules } from './app/modules'
import { followPreferredLocale } from './app/preferences'
import { systemClock } from './core/clock'
import { serveStreams } from './core/serve-stream'
import { reportError, reportKeychain } from './core/report-error'
import { hostBridge, trustedSender } from './desktop/bridge-host'
import { chooseAuthorities, chooseIdentityFile, chooseTarget } from './desktop/choose-file'
import { showFleetTray } from './desktop/fleet-tray'
import { followAppLifecycle } from './desktop/app-lifecycle'
import { appUpdater } from './desktop/app-updater'
import { createLastPlace } from './desktop/last-place'
import { keepsCrashing, watchForCrashes } from './desktop/crash-watch'
import { earlierCrash, SeenReports } from './desktop/crash-reports'
import { createMainWindow } from './desktop/main-window'
import { installMenu } from './desktop/menu'
import { createNotifier } from './desktop/notify'
import { printPdf } from './desktop/print-pdf'
import { appOrigin, registerScheme, serveWindow } from './desktop/protocol'
import { restrictPages } from './desktop/restrict-pages'
import { isLoopbackOnly, isWritable, lostSandbox } from './desktop/runtime'
import { sandboxProcess } from './desktop/sandbox-process'
import { secretClipboard } from './desktop/secret-clipboard'
import { createServiceNetwork, refuseClientCertificates } from './desktop/service-fetch'
import { hostStreams } from './desktop/stream-host'
import { hasTrayHost, isInTray } from './desktop/tray-host'
import { usesWayland } from './desktop/wayland'
import { WindowSettings } from './desktop/window'
import { createWindowNotices } from './desktop/window-notices'
import { openSettings } from './store/settings'

const reportsFolder = join(app.getPath('userData'), 'crash-reports')

async function start(): Promise<void> {
  const platform = process.platform
  const isWayland = usesWayland(
    platform,
    process.versions.electron,
    app.commandLine.getSwitchValue('ozone-platform'),
    process.env,
  )
  const userData = app.getPath('userData')
  const resources = join(app.getAppPath(), 'build')
  const settings = openSettings(userData)
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
    {
      isWritable: () => !isWayland || window.current()?.isFocused() === true,
      kept: () => {
        const [title, body] = [translate('desktop.secretKept.title'), translate('desktop.secretKept.text')]
        notify({ title, body, act: () => window.show() })
      },
    },
  )

  const kept = settings.section('window', WindowSettings)
  const place = createLastPlace(kept.read().page)
  const keepWindow = (change: Partial<z.infer<typeof WindowSettings>>): void =>
    void kept
      .change((before) => ({ ...before, ...change }))
      .catch((error: unknown) => reportError('settings.keepWindow', error))
  const window = createMainWindow(
    () => ({
      url: () => place.urlOf(`${appOrigin}/index.html`),
      preload: join(__dirname, '..', 'preload', 'index.cjs'),
      icon: join(resources, 'icon.png'),
      bounds: kept.read(),
      keepsCrashing,
      keepBounds: (next) => keepWindow({ ...next, page: place.page() }),
      went: place.went,
    }),
    isWayland,
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
      home: homedir(),
      platform,
      env: process.env,
      fetch: network.fetch,
      freshFetch: network.freshFetch,
      keychain,
      sandbox: sandboxProcess(join(__dirname, 'sandbox.cjs'), join(userData, 'sandbox')),
      clipboard: { write: (text) => clipboard.writeText(text), copySecret: secrets.copy },
      clock: systemClock,
      updates: appUpdater(network, app.isPackaged),
      online: () => net.isOnline(),
      reportError,
      chooseAuthorities: () => chooseAuthorities(window.current()),
      chooseFile: () => chooseIdentityFile(window.current()),
      chooseTarget: (name) => chooseTarget(window.current(), name),
      showInFolder: (path) => shell.showItemInFolder(path),
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

  const applyTheme = (): void => {
    nativeTheme.themeSource = preferences.read().theme
  }
  applyTheme()
  preferences.onChange(applyTheme)
  followPreferredLocale(preferences, app.getPreferredSystemLanguages())
  const isTrusted = trustedSender((contents) => contents === window.current()?.webContents, appOrigin)
  const bridge = hostBridge(main.handlers, isTrusted)
  hostStreams(serveStreams(streamRows, {}), isTrusted)
  main.forwardEvents((name, payload) => {
    const open = window.current()
    if (open) bridge.push(open.webContents, name, payload)
  })
  main.onNotification(({ words, destination }) =>
    notify({ ...words, destination, act: () => window.show(destination) }),
  )
  window.onOpenChange(main.windowChanged)
  window.onNavigate(appInfo.navigate)
  window.onFocus(secrets.focused)
  // A keychain that was unlocked meanwhile is noticed when the person comes back.
  window.onFocus(() => {
    if (!keychain.state().available) void keychain.check()
  })

  serveWindow(
    join(__dirname, '..', 'renderer'),
    app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
  )
  const trayHost = await hasTrayHost(platform)
  if (trayHost) {
    const images = join(resources, 'tray', ...(platform === 'win32' ? ['windows'] : []))
    showFleetTray(main.modules, images, platform, window.show)
  }
  const showMenu = (): void => installMenu(platform, (page) => window.show({ page }))
  showMenu()
  preferences.onChange(showMenu)
  followAppLifecycle({
    staysInTray: async () => trayHost && (await isInTray(platform, process.pid)),
    stayed: () => {
      if (kept.read().staysSaid) return
      const [title, body] = [translate('desktop.stays.title'), translate('desktop.stays.text')]
      notify({ title, body, act: () => window.show() })
      keepWindow({ staysSaid: true })
    },
    showWindow: () => window.show(),
    wakeChanged: main.wakeChanged,
    secrets,
    close: async () => {
      await main.close()
      await settings.close()
    },
    keychainBusy: keychain.busy,
  })

  window.show()
  for (const notice of settings.notices()) {
    dialog.showErrorBox(
      translate('desktop.settingsNotice.title'),
      translate(`desktop.settingsNotice.${notice.kind}`, {
        file: notice.keptAs ?? '',
        reason: notice.reason,
      }),
    )
  }
  await main.start()
}

// --no-sandbox is what a start as root needs (scripts/launch.mjs); enableSandbox() would undo it halfway.
const noSandbox = app.commandLine.hasSwitch('no-sandbox')
if (!noSandbox) app.enableSandbox()
// Windows shows notifications of a program only under the id that its shortcut has (electron-builder.yml). One without
// a shortcut of its own is given one by Electron, under Electron's id.
if (process.platform === 'win32' && app.isPackaged) app.setAppUserModelId('app.wheelhouse.desktop')
watchForCrashes(reportsFolder)
refuseClientCertificates()
restrictPages()
registerScheme()
const folder = app.getPath('userData')
const obstacle = lostSandbox(process.env, noSandbox, process.getuid?.())
  ? 'noSandbox'
  : isWritable(folder)
    ? null
    : 'readOnly'
if (obstacle) {
  void app.whenReady().then(() => {
    const [title, text] = [
      translate(`desktop.${obstacle}.title`),
      translate(`desktop.${obstacle}.text`, { folder }),
    ]
    dialog.showErrorBox(title, text)
    app.exit(1)
  })
} else if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      reportError('app.start', error)
      dialog.showErrorBox(
        translate('desktop.startFailed.title'),
        failureText(failureOf(error, 'app.start'), translate).text,
      )
      app.exit(1)
    })
} else {
  app.quit()
}
