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

/** Name of electron-updater's own session: `netSession` of its executor. */
const partition = 'electron-updater'

/** Settings: every step needs the user's consent, and the feed cannot identify this computer. */
const rules = {
  autoDownload: false,
  autoInstallOnAppQuit: false,
  allowDowngrade: false,
  allowPrerelease: false,
  disableWebInstaller: true,
  requestHeaders: { 'x-user-staging-id': 'none' },
  // updates/installation.ts decides whether the application replaces itself.
  forceDevUpdateConfig: true,
  logger: null,
} as const

/** Loads electron-updater at the first check, long after the first window. */
async function load(
  feed: string,
  credentials: (challenge: AuthInfo) => Promise<ProxyCredential | null>,
): Promise<AppUpdater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
  const Kind = { darwin: MacUpdater, win32: NsisUpdater }[String(process.platform)] ?? AppImageUpdater
  const updater = Object.assign(new Kind(), rules, { updateConfigPath: feed })
  updater.on('login', (challenge: AuthInfo, send) => {
    void credentials(challenge).then((credential) => {
      // Without arguments the request fails as refused by the proxy.
      Reflect.apply(send, undefined, credential ? [credential.username, credential.password] : [])
    })
  })
  return updater
}

/** Variables that the AppImage runtime sets at each start. */
const appImageVariables = new Set(['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD'])

type End = ConfirmQuit['end']

/** Starts an AppImage after this process has ended. Code in the old mount cannot wait for that. */
function startAtQuit(appImage: string): void {
  // Runs before the listener in app-lifecycle.ts, which may end the process.
  app.prependOnceListener('quit', () => {
    app.releaseSingleInstanceLock()
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !appImageVariables.has(name)),
    )
    const child = spawn(appImage, [], { env, detached: true, stdio: 'ignore' })
    child.on('error', (error) => reportError('updates.restart', error))
    child.unref()
  })
}

/** Creates an updater for the feed in `feed` (app-update.yml). `appImage`: file to replace; null: an installer does it. */
export function createUpdater(network: Network, end: End, feed: string, appImage: string | null): Updater {
  let loading: Promise<AppUpdater> | undefined
  /** SHA-512 (base64) of each file of the last release found. */
  let sha512: readonly string[] = []
  /** Last download, with its own checksums: a newer release may have been found since. */
  let downloaded: { readonly file: string | undefined; readonly sha512: readonly string[] } | undefined
  /** Last credentials sent to the proxy in this step; the proxy asks again if it refused them. */
  let tried: ProxyCredential | null = null
  let isHooked = false
  const credentials = async (challenge: AuthInfo): Promise<ProxyCredential | null> =>
    (tried = await network.credentials(challenge, tried))

  const open = async (): Promise<AppUpdater> => {
    const updater = await (loading ??= load(feed, credentials))
    tried = null
    // Proxy settings may have changed since the last step.
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
      const checksums = sha512
      const listener = ({ percent }: { readonly percent: number }): void => onProgress(percent)
      updater.on('download-progress', listener)
      try {
        const [file] = await updater.downloadUpdate()
        downloaded = { file, sha512: checksums }
      } finally {
        updater.off('download-progress', listener)
      }
    },
    // Done here because AppImageUpdater deletes the old file before it moves the new one.
    async place() {
      if (appImage === null) return
      if (downloaded?.file === undefined) throw new Error('nothing was downloaded')
      await replaceFile(appImage, downloaded.file, downloaded.sha512)
    },
    async restart() {
      if (appImage !== null) {
        return end(() => {
          // A second restart must not start two processes.
          if (!isHooked) startAtQuit(appImage)
          isHooked = true
          app.quit()
        })
      }
      const updater = await open()
      return end(
        () =>
          // Installers report a failed start only by this event. If they start, the application ends.
          new Promise((_, reject) => {
            updater.once('error', reject)
            updater.quitAndInstall(true, true)
          }),
      )
    },
  }
}

export function appUpdater(network: Network, end: End, isPackaged: boolean): Updater | UpdatesOff {
  const { platform, env, execPath: program, resourcesPath: resources } = process
  const off = updatesOff({ platform, env, isPackaged, name: app.getName(), program, resources })
  return off ?? createUpdater(network, end, join(resources, 'app-update.yml'), appImageOf({ env, program }))
}
