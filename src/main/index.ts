import { join } from 'node:path'
import { app, dialog, nativeTheme } from 'electron'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { failureOf } from './core/failure-of'
import { systemClock, yieldToEventLoop } from './core/clock'
import { createStarts, hiddenSwitch, isAskpass, type Starts } from './core/start-arguments'
import { reportError, reportKeychain } from './core/report-error'
import { hostCalls, trustedSender } from './desktop/bridge-host'
import { createLastPlace, hasAccount } from './desktop/last-place'
import { confirmReload, watchForCrashes } from './desktop/crash-watch'
import { readLastView } from './fleet/last-view'
import { createMainWindow } from './desktop/main-window'
import { registerScheme, serveWindow } from './desktop/protocol'
import { restrictPages } from './desktop/restrict-pages'
import { isWritable, lostSandbox } from './desktop/runtime'
import { refuseClientCertificates } from './desktop/service-fetch'
import { usesWayland } from './desktop/wayland'
import { appOrigin } from './desktop/window-files'
import { ThemeSetting, WindowSettings } from './desktop/main-window'
import { type Keychain, openKeychain } from './store/keychain'
import { openSettings, type SettingsStore } from './store/settings'

/** Seconds to wait for the first paint of a window without an account: its renderer may crash before. */
const maxPaintSeconds = 2

/** The last view for the first page, if it was decrypted by then: the page never waits for a keychain. */
function startLastView(keychain: Keychain, settings: SettingsStore): () => unknown {
  let view: unknown = null
  let isFirstPage = true
  readLastView(app.getPath('userData'), keychain, settings.raw('accounts'))
    .then((read) => {
      if (isFirstPage) view = read
    })
    .catch((error: unknown) => reportError('fleet.keepList', error))
  return () => {
    const first = view
    // Later pages ask main, which knows more by then.
    isFirstPage = false
    view = null
    return first
  }
}

/** Parts that exist before Electron is ready. */
interface EarlyParts {
  readonly reportsFolder: string
  readonly starts: Starts
  readonly settings: SettingsStore
  readonly keychain: Keychain
  lastView(): unknown
}

/** Opens the window first, unless the start is hidden. The modules load while its renderer starts. */
async function start({ reportsFolder, starts, settings, keychain, lastView }: EarlyParts): Promise<void> {
  const isWayland = usesWayland(
    process.platform,
    process.versions.electron,
    app.commandLine.getSwitchValue('ozone-platform'),
    process.env,
  )
  nativeTheme.themeSource = ThemeSetting.parse(settings.raw('app')).theme

  const windowSettings = settings.section('window', WindowSettings)
  const isWithoutAccount = (): boolean => !hasAccount(settings.raw('accounts'))
  const place = createLastPlace(windowSettings.read().page)
  const keepWindow = (change: Partial<WindowSettings>): void =>
    void windowSettings
      .change((before) => ({ ...before, ...change }))
      .catch((error: unknown) => reportError('settings.keepWindow', error))
  const window = createMainWindow(
    () => ({
      url: () => place.urlOf(`${appOrigin}/index.html`, !isWithoutAccount()),
      preload: join(__dirname, '..', 'preload', 'index.cjs'),
      icon: join(app.getAppPath(), 'build', 'icon.png'),
      bounds: windowSettings.read(),
      confirmReload,
      keepBounds: (next) => keepWindow({ ...next, page: place.page() }),
      navigated: place.navigated,
    }),
    isWayland,
  )
  const isTrusted = trustedSender((contents) => contents === window.current()?.webContents, appOrigin)
  const useAnswers = hostCalls(isTrusted)
  // At login macOS passes no arguments.
  const isHidden =
    process.argv.includes(hiddenSwitch) ||
    (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
  /** Whether the first page is the list of machines, and has it. */
  let isListKnown = false
  const firstScript = serveWindow(
    join(__dirname, '..', 'renderer'),
    app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
    () => {
      const view = isHidden ? null : lastView()
      isListKnown = view !== null && place.page() === '/machines'
      return {
        withoutAccount: isWithoutAccount(),
        settings: settings.raw('app') ?? {},
        systemLocales: app.getPreferredSystemLanguages(),
        lastView: view,
      }
    },
  )
  // Closing the window before the modules are built does not quit: followAppLifecycle decides.
  app.on('window-all-closed', () => undefined)
  const openWindow = (args: readonly string[]): void => {
    if (args.includes(hiddenSwitch)) return
    window.show()
    starts.add(args)
  }
  if (!isHidden) openWindow(process.argv)
  // A second start, or a click in the dock, also after the window was closed.
  app.on('second-instance', (_event, args) => openWindow(args))
  app.on('activate', () => window.show())
  // Until the window has its script, its processes sometimes wait for this thread. The modules are evaluated while
  // the window evaluates its script.
  if (!isHidden) await firstScript
  // If the page has everything for its first paint (desktop/first-answers.ts), this thread may wait.
  if ((isWithoutAccount() || isListKnown) && !isHidden)
    await Promise.race([
      window.shown(),
      new Promise<void>((resolve) => systemClock.after(maxPaintSeconds, resolve)),
    ])
  const pieces = [
    () => import('#shared/bridge/index'),
    () => import('./app/resource-modules'),
    () => import('./app/money-modules'),
    () => import('./app/connection-modules'),
    () => import('./app/modules'),
  ]
  for (const evaluate of pieces) {
    await yieldToEventLoop()
    await evaluate()
  }
  await yieldToEventLoop()
  const { runApplication } = await import('./desktop/application')
  const stayNotice = {
    wasShown: () => windowSettings.read().staysSaid,
    markShown: () => keepWindow({ staysSaid: true }),
  }
  const opened = {
    settings,
    keychain,
    window,
    starts,
    isHidden,
    reportsFolder,
    isWayland,
    isTrusted,
    stayNotice,
  }
  await runApplication(opened, useAnswers)
}

function startApplication(): void {
  // A start as root needs --no-sandbox (scripts/launch.mjs); enableSandbox() would partly undo it.
  const noSandbox = app.commandLine.hasSwitch('no-sandbox')
  if (!noSandbox) app.enableSandbox()
  // Chromium would ask the keyring for the key of its cookies, of which there are none, and open no window until a locked
  // keyring is unlocked.
  if (process.platform === 'linux' && !app.commandLine.hasSwitch('password-store'))
    app.commandLine.appendSwitch('password-store', 'basic')
  // Windows shows notifications only under the id of the program's shortcut (electron-builder.yml). Without a
  // shortcut, Electron creates one under its own id.
  if (process.platform === 'win32' && app.isPackaged) app.setAppUserModelId('app.wheelhouse.desktop')
  const reportsFolder = join(app.getPath('userData'), 'crash-reports')
  const crashes = watchForCrashes(reportsFolder)
  refuseClientCertificates()
  restrictPages()
  registerScheme()
  const folder = app.getPath('userData')
  const problem = lostSandbox(process.env, noSandbox, process.getuid?.())
    ? 'noSandbox'
    : isWritable(folder)
      ? null
      : 'readOnly'
  if (problem) {
    void app.whenReady().then(() => {
      const [title, text] = [
        translate(`desktop.${problem}.title`),
        translate(`desktop.${problem}.text`, { folder }),
      ]
      dialog.showErrorBox(title, text)
      app.exit(1)
    })
  } else if (app.requestSingleInstanceLock()) {
    crashes.started()
    const starts = createStarts()
    const settings = openSettings(folder)
    const keychain = openKeychain()
    keychain.onChange(reportKeychain)
    const lastView = process.argv.includes(hiddenSwitch) ? () => null : startLastView(keychain, settings)
    // macOS passes links by this event, which may come before the application is ready.
    app.on('open-url', (_event, address) => starts.add([address]))
    // Packages for other systems register the scheme themselves.
    if (process.platform === 'win32' && app.isPackaged) app.setAsDefaultProtocolClient('wheelhouse')
    app
      .whenReady()
      .then(() => start({ reportsFolder, starts, settings, keychain, lastView }))
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
}

// ssh runs the application to answer a prompt: it prints the answer and starts nothing else.
if (isAskpass(process.argv)) {
  app.dock?.hide()
  void import('./ssh/askpass/program')
    .then(({ runAskpass }) => runAskpass(process.env))
    .then((code) => app.exit(code))
} else startApplication()
