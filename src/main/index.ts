import { join } from 'node:path'
import { app, dialog, nativeTheme } from 'electron'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { failureOf } from './core/failure-of'
import { systemClock, yieldToEventLoop } from './core/clock'
import { reportError } from './core/report-error'
import { hostCalls, trustedSender } from './desktop/bridge-host'
import { createLastPlace, hasAccount } from './desktop/last-place'
import { confirmReload, watchForCrashes } from './desktop/crash-watch'
import { createMainWindow } from './desktop/main-window'
import { appOrigin, registerScheme, serveWindow } from './desktop/protocol'
import { restrictPages } from './desktop/restrict-pages'
import { isWritable, lostSandbox } from './desktop/runtime'
import { refuseClientCertificates } from './desktop/service-fetch'
import { usesWayland } from './desktop/wayland'
import { ThemeSetting, WindowSettings } from './desktop/window'
import { isAskpass } from './ssh/askpass/protocol'
import { openSettings } from './store/settings'

/** Seconds that the modules wait for a window without an account to be painted: its process may end before. */
const longestPaint = 2

/** The window first: the modules are loaded and built while its process starts. */
async function start(reportsFolder: string): Promise<void> {
  const isWayland = usesWayland(
    process.platform,
    process.versions.electron,
    app.commandLine.getSwitchValue('ozone-platform'),
    process.env,
  )
  const settings = openSettings(app.getPath('userData'))
  nativeTheme.themeSource = ThemeSetting.parse(settings.raw('app')).theme

  const kept = settings.section('window', WindowSettings)
  const isWithoutAccount = (): boolean => !hasAccount(settings.raw('accounts'))
  const place = createLastPlace(kept.read().page)
  const keepWindow = (change: Partial<WindowSettings>): void =>
    void kept
      .change((before) => ({ ...before, ...change }))
      .catch((error: unknown) => reportError('settings.keepWindow', error))
  const window = createMainWindow(
    () => ({
      url: () => place.urlOf(`${appOrigin}/index.html`, !isWithoutAccount()),
      preload: join(__dirname, '..', 'preload', 'index.cjs'),
      icon: join(app.getAppPath(), 'build', 'icon.png'),
      bounds: kept.read(),
      confirmReload,
      keepBounds: (next) => keepWindow({ ...next, page: place.page() }),
      navigated: place.navigated,
    }),
    isWayland,
  )
  const isTrusted = trustedSender((contents) => contents === window.current()?.webContents, appOrigin)
  const useAnswers = hostCalls(isTrusted)
  const firstScript = serveWindow(
    join(__dirname, '..', 'renderer'),
    app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
    () => ({
      withoutAccount: isWithoutAccount(),
      settings: settings.raw('app') ?? {},
      systemLocales: app.getPreferredSystemLanguages(),
    }),
  )
  // A window that is closed before the modules are built doesn't quit: followAppLifecycle decides.
  app.on('window-all-closed', () => undefined)
  window.show()
  // Started once more, or chosen in the dock; also where it was closed before the modules are built.
  app.on('second-instance', () => window.show())
  app.on('activate', () => window.show())
  // Until the window has its script, its process and the one that draws wait for this thread now and then; while it
  // evaluates that, the modules are evaluated here.
  await firstScript
  // Where nobody has an account its first paint needs no module (desktop/first-answers.ts), and this thread is its own.
  if (isWithoutAccount())
    await Promise.race([
      window.shown(),
      new Promise<void>((resolve) => systemClock.after(longestPaint, resolve)),
    ])
  const pieces = [
    () => import('#shared/bridge/index'),
    () => import('./app/resource-modules'),
    () => import('./app/money-modules'),
    () => import('./app/modules'),
  ]
  for (const evaluate of pieces) {
    await yieldToEventLoop()
    await evaluate()
  }
  await yieldToEventLoop()
  const { runApplication } = await import('./desktop/application')
  const stayNotice = {
    wasShown: () => kept.read().staysSaid,
    markShown: () => keepWindow({ staysSaid: true }),
  }
  await runApplication({ settings, window, reportsFolder, isWayland, isTrusted, stayNotice }, useAnswers)
}

function startApplication(): void {
  // --no-sandbox is what a start as root needs (scripts/launch.mjs); enableSandbox() would undo it halfway.
  const noSandbox = app.commandLine.hasSwitch('no-sandbox')
  if (!noSandbox) app.enableSandbox()
  // Windows shows notifications of a program only under the id that its shortcut has (electron-builder.yml). One without
  // a shortcut of its own is given one by Electron, under Electron's id.
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
    // Node loads `fetch` lazily: now, while Electron starts, rather than when the page waits for its answer.
    void globalThis.Response
    app
      .whenReady()
      .then(() => start(reportsFolder))
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

// ssh asks: the answer is printed and nothing else is begun, not even the search for another start.
if (isAskpass(process.argv)) {
  app.dock?.hide()
  void import('./ssh/askpass/program')
    .then(({ runAskpass }) => runAskpass(process.env))
    .then((code) => app.exit(code))
} else startApplication()
