import { net, protocol } from 'electron'
import type { KnownFirstAnswers } from '#shared/bridge/first-answers'
import { systemClock } from '../core/clock'
import { scheme, serveScheme, windowFiles } from './window-files'

/** Registers the scheme. Must run before the application is ready. */
export const registerScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    // codeCache: Chromium stores compiled scripts in the user-data folder, as for a website.
    { scheme, privileges: { standard: true, secure: true, codeCache: true } },
  ])

/** Time that a file needs to reach the page. */
const deliverySeconds = 0.01
/** Upper bound on the wait for the first script. */
const scriptTimeoutSeconds = 2

/**
 * Serves the window's files (window-files.ts) from `folder` or from a development server. Resolves when the first page
 * has its script, or after 2 s: later work of the main process then delays no page.
 */
export function serveWindow(
  folder: string,
  server: string | undefined,
  firstAnswers: () => KnownFirstAnswers,
): Promise<void> {
  let scriptServed: () => void = () => undefined
  const script = new Promise<void>((resolve) => (scriptServed = resolve))
  systemClock.after(scriptTimeoutSeconds, scriptServed)
  const development = server ? { address: server, fetch: (address: string) => net.fetch(address) } : undefined
  const answer = windowFiles(folder, development, firstAnswers)
  serveScheme(protocol, async (url) => {
    const file = await answer(url)
    // The first file that a page requests is its script.
    const isPage = file.headers['content-type']?.startsWith('text/html') === true
    if (file.statusCode === 200 && !isPage) systemClock.after(deliverySeconds, scriptServed)
    return file
  })
  return script
}
