import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, clipboard, dialog, nativeTheme, net } from 'electron'
import { type AppInfo, Settings } from '#shared/bridge/app'
import { type EventName, type EventPayload, type Handlers, streamRows } from '#shared/bridge/index'
import { failureOf } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { translate } from '#shared/messages/index'
import { openKeychain } from './accounts/keychain'
import { serveStreams } from './core/serve-stream'
import { hostBridge } from './desktop/bridge-host'
import { chooseIdentityFile, chooseTarget } from './desktop/choose-file'
import { showFleetTray } from './desktop/fleet-tray'
import { followAppLifecycle } from './desktop/app-lifecycle'
import { createMainWindow } from './desktop/main-window'
import { installMenu } from './desktop/menu'
import { createNotifier } from './desktop/notify'
import { printPdf } from './desktop/print-pdf'
import { appOrigin, registerScheme, serveWindow } from './desktop/protocol'
import { isLoopbackOnly } from './desktop/runtime'
import { sandboxProcess } from './desktop/sandbox-process'
import { secretClipboard } from './desktop/secret-clipboard'
import { freshServiceFetch, serviceFetch } from './desktop/service-fetch'
import { hostStreams } from './desktop/stream-host'
import { hasTrayHost } from './desktop/tray-host'
import { trustedSender } from './desktop/trusted-sender'
import { WindowBounds } from './desktop/window'
import { forwardEvents } from './app/events'
import { createModules } from './app/modules'
import { reportFault } from './app/host-environment'

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
  const resources = join(app.getAppPath(), 'build')
  const loopbackOnly = isLoopbackOnly(process.execPath, process.env)
  const keychain = openKeychain()
  const notify = createNotifier()
  const secrets = secretClipboard(clipboard, after)

  const tell: Parameters<typeof createModules>[0]['tell'] = (words, destination) =>
    notify({ ...words, act: () => window.show(destination) })
  const parts = createModules({
    userData,
    home: homedir(),
    platform,
    env: process.env,
    fetch: serviceFetch(),
    freshFetch: freshServiceFetch(),
    keychain,
    loopbackOnly,
    sandbox: sandboxProcess(join(__dirname, 'sandbox.cjs'), join(userData, 'sandbox')),
    now,
    after,
    online: () => net.isOnline(),
    chooseFile: () => chooseIdentityFile(window.current()),
    chooseTarget: (name) => chooseTarget(window.current(), name),
    printPdf,
    push,
    tell,
  })
  const { accounts, preferences, settings } = parts

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
    ...parts.handlers,
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
    'secret.reveal': ({ account, secret }) => parts.secret(account, secret),
    'secret.copy': async ({ account, secret }) => secrets.copy(await parts.secret(account, secret)),
  }

  const bounds = settings.section('window', WindowBounds)
  const window = createMainWindow({
    settings: () => ({
      url: `${appOrigin}/index.html`,
      preload: join(__dirname, '..', 'preload', 'index.cjs'),
      icon: join(resources, 'icon.png'),
      bounds: bounds.read(),
      keepBounds: (next) => void bounds.change(() => next).catch(reportFault('keep-window-bounds')),
    }),
    changed: parts.windowChanged,
    // A keychain that was unlocked meanwhile is noticed when the person comes back.
    focused: () => {
      if (!keychain.state().available) void keychain.check()
    },
    navigate: (destination) => push('app.navigate', destination),
  })
  const isTrusted = trustedSender((contents) => contents === window.current()?.webContents, appOrigin)
  const bridge = hostBridge(handlers, isTrusted)
  hostStreams(serveStreams(streamRows, {}), isTrusted)

  function push<Name extends EventName>(name: Name, payload: EventPayload<Name>): void {
    const open = window.current()
    if (open) bridge.push(open.webContents, name, payload)
  }
  forwardEvents(parts, { push, tell })
  accounts.onKeychainChange(() => push('app.changed', info()))

  nativeTheme.themeSource = preferences.read().theme
  serveWindow(
    join(__dirname, '..', 'renderer'),
    app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
  )
  const trayHost = await hasTrayHost(platform)
  if (trayHost) {
    const images = join(resources, 'tray', ...(platform === 'win32' ? ['windows'] : []))
    showFleetTray(parts, images, platform, window.show)
  }
  installMenu(platform, () => window.show({ page: 'settings' }))
  followAppLifecycle({
    staysInTray: trayHost,
    showWindow: () => window.show(),
    wakeChanged: (awake) => {
      parts.wakeChanged(awake)
      if (awake) void accounts.resume()
    },
    secrets,
    close: parts.close,
    saved: settings.flushed,
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
  await parts.start()
  // Accounts that could not be reached are tried again; what is signed in, or was refused, is left alone.
  const keepResuming = (): void => void after(resumeEvery, () => void accounts.resume().finally(keepResuming))
  keepResuming()
}

// --no-sandbox is what a start as root needs (scripts/launch.mjs); enableSandbox() would undo it halfway.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
// Windows shows notifications of a program only under the id that its shortcut has (electron-builder.yml).
if (process.platform === 'win32') app.setAppUserModelId('app.wheelhouse.desktop')
registerScheme()
if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      reportFault('start')(error)
      dialog.showErrorBox(
        translate('desktop.startFailed.title'),
        failureText(failureOf(error, 'start'), translate).text,
      )
      app.exit(1)
    })
} else {
  app.quit()
}
