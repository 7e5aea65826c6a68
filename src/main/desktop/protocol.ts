import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { net, protocol } from 'electron'
import type { KnownFirstAnswers } from '#shared/bridge/first-answers'
import { systemClock } from '../core/clock'
import { withFirstAnswers } from './first-answers'

const scheme = 'app'
const host = 'wheelhouse'

/** The only origin that the bridge answers. */
export const appOrigin = `${scheme}://${host}`

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** `connect`: the development server's socket for reload messages; otherwise 'none'. */
const policy = (nonce: string, connect: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // xterm.js colours characters by attributes if no graphics processor draws.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

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

interface Content {
  readonly type: string
  readonly bytes: Uint8Array
}

async function builtFile(folder: string, pathname: string): Promise<Content | undefined> {
  const path = normalize(join(folder, decodeURIComponent(pathname)))
  const type = types[extname(path)]
  if (!path.startsWith(folder + sep) || !type) return undefined
  return readFile(path).then(
    (bytes) => ({ type, bytes }),
    () => undefined,
  )
}

async function developmentFile(server: string, address: URL): Promise<Content | undefined> {
  const response = await net.fetch(server + address.pathname + address.search)
  if (!response.ok) return undefined
  return {
    type: response.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

/**
 * Serves the built window from `folder` or from a development server, under a policy that blocks all other sources. Each
 * page has its own nonce and the first answers. Resolves when the first page has its script, or after 2 s: later work of
 * the main process then delays no page.
 */
export function serveWindow(
  folder: string,
  server: string | undefined,
  firstAnswers: () => KnownFirstAnswers,
): Promise<void> {
  let scriptServed: () => void = () => undefined
  const script = new Promise<void>((resolve) => (scriptServed = resolve))
  systemClock.after(scriptTimeoutSeconds, scriptServed)
  protocol.handle(scheme, async (request) => {
    const address = new URL(request.url)
    if (address.host !== host) return new Response(null, { status: 404 })
    const content = await (server ? developmentFile(server, address) : builtFile(folder, address.pathname))
    if (!content) return new Response(null, { status: 404 })
    const nonce = randomBytes(16).toString('base64')
    const isPage = content.type.startsWith('text/html')
    // The first file that a page requests is its script.
    if (!isPage) systemClock.after(deliverySeconds, scriptServed)
    const body = isPage
      ? await withFirstAnswers(
          new TextDecoder().decode(content.bytes).replaceAll('__CSP_NONCE__', nonce),
          folder,
          firstAnswers(),
        )
      : new Uint8Array(content.bytes)
    return new Response(body, {
      headers: {
        'content-type': content.type,
        'content-security-policy': policy(nonce, server ? server.replace(/^http/, 'ws') : "'none'"),
        'x-content-type-options': 'nosniff',
      },
    })
  })
  return script
}
