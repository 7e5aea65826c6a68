import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { app, type AuthInfo, session } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { UpdatesOff } from '#shared/bridge/updates'
import type { ConfirmQuit } from '../app/host-environment'
import { reportError } from '../core/report-error'
import type { ProxyCredential } from '../network-access/proxy-config'
import { appImageOf, updatesOff } from '../updates/installation'
import { replaceFile } from '../updates/replace-file'
import type { Updater } from '../updates/update-installer'
import type { createServiceNetwork } from './service-fetch'

type Network = Pick<ReturnType<typeof createServiceNetwork>, 'configure' | 'credentials'>

/** electron-updater's own: `netSession` of its executor. */
const partition = 'electron-updater'

/** Nothing is downloaded, installed or gone back to unasked, and the feed gets nothing that this computer is known by. */
const rules = {
  autoDownload: false,
  autoInstallOnAppQuit: false,
  allowDowngrade: false,
  allowPrerelease: false,
  disableWebInstaller: true,
  requestHeaders: { 'x-user-staging-id': 'none' },
  // Whether the application replaces itself is decided in updates/installation.ts.
  forceDevUpdateConfig: true,
  logger: null,
} as const

/** Loaded at the first check, long after the first window. */
async function load(
  feed: string,
  credentials: (challenge: AuthInfo) => Promise<ProxyCredential | null>,
): Promise<AppUpdater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
  const Kind = { darwin: MacUpdater, win32: NsisUpdater }[String(process.platform)] ?? AppImageUpdater
  const updater = Object.assign(new Kind(), rules, { updateConfigPath: feed })
  updater.on('login', (challenge: AuthInfo, send) => {
    void credentials(challenge).then((credential) => {
      // Without a name and a password the request ends as refused by the proxy.
      Reflect.apply(send, undefined, credential ? [credential.username, credential.password] : [])
    })
  })
  return updater
}

/** What the runtime of an AppImage sets anew at each start. */
const ofAppImage = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD'])

type End = ConfirmQuit['end']

/** Starts an AppImage once this process has let go of everything; in the mount of the old one nothing can wait for it. */
function startAtQuit(appImage: string): void {
  // Before app-lifecycle.ts, which may end the process there.
  app.prependOnceListener('quit', () => {
    app.releaseSingleInstanceLock()
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofAppImage.has(name)))
    const started = spawn(appImage, [], { env, detached: true, stdio: 'ignore' })
    started.on('error', (error) => reportError('updates.restart', error))
    started.unref()
  })
}

/** electron-updater, with the feed that `feed` (app-update.yml) names. `appImage`: the file that is replaced; null: an installer replaces the application. */
export function createUpdater(network: Network, end: End, feed: string, appImage: string | null): Updater {
  let loading: Promise<AppUpdater> | undefined
  /** SHA-512 in base64 of each file of the release that was found last. */
  let sha512: readonly string[] = []
  /** What was downloaded last, with the checksums of its release: a newer one may be found since. */
  let downloaded: { readonly file: string | undefined; readonly sha512: readonly string[] } | undefined
  /** What a proxy was answered last in this step, and so has refused where it asks again. */
  let tried: ProxyCredential | null = null
  let isHooked = false
  const credentials = async (challenge: AuthInfo): Promise<ProxyCredential | null> =>
    (tried = await network.credentials(challenge, tried))

  const open = async (): Promise<AppUpdater> => {
    const updater = await (loading ??= load(feed, credentials))
    tried = null
    // As the settings are now.
    await network.configure(session.fromPartition(partition, { cache: false }))
    return updater
  }

  return {
    async check() {
      const result = await (await open()).checkForUpdates()
      if (!result?.isUpdateAvailable) return null
      const { version, files, releaseNotes } = result.updateInfo
      sha512 = files.map((file) => file.sha512)
      return { version, notes: typeof releaseNotes === 'string' ? releaseNotes : '' }
    },
    async download(onProgress) {
      const updater = await open()
      const sums = sha512
      const listener = ({ percent }: { readonly percent: number }): void => onProgress(percent)
      updater.on('download-progress', listener)
      try {
        const [file] = await updater.downloadUpdate()
        downloaded = { file, sha512: sums }
      } finally {
        updater.off('download-progress', listener)
      }
    },
    // AppImageUpdater would delete the old file before it moves the new one.
    async place() {
      if (appImage === null) return
      if (downloaded?.file === undefined) throw new Error('nothing was downloaded')
      await replaceFile(appImage, downloaded.file, downloaded.sha512)
    },
    async restart() {
      if (appImage !== null) {
        return end(() => {
          // One that ends already is started once.
          if (!isHooked) startAtQuit(appImage)
          isHooked = true
          app.quit()
        })
      }
      const updater = await open()
      return end(
        () =>
          // Installers report by this event alone that they do not start; where they do, the application ends.
          new Promise((_, reject) => {
            updater.once('error', reject)
            updater.quitAndInstall(true, true)
          }),
      )
    },
  }
}

/** How this installation replaces itself, or why it does not. */
export function appUpdater(network: Network, end: End, isPackaged: boolean): Updater | UpdatesOff {
  const { platform, env, execPath: program, resourcesPath: resources } = process
  const off = updatesOff({ platform, env, isPackaged, name: app.getName(), program, resources })
  return off ?? createUpdater(network, end, join(resources, 'app-update.yml'), appImageOf({ env, program }))
}
