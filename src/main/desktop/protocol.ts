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

/** `connect`: the development server's socket, through which it says that a file has changed; 'none' otherwise. */
const policy = (nonce: string, connect: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Where no graphics processor draws, xterm.js gives characters their own colours by attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Must run before the application is ready. */
export const registerScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    // Compiled scripts are kept in the user-data folder by Chromium, as those of a website are.
    { scheme, privileges: { standard: true, secure: true, codeCache: true } },
  ])

/** Seconds that a file takes from here to the page. */
const deliveryTime = 0.01
/** Seconds until a page that asks for no script is waited for no longer. */
const longestWait = 2

interface Content {
  readonly type: string
  readonly bytes: Uint8Array
}

/** A file of the built window, by the path in its address; undefined where there is none. */
async function builtFile(folder: string, pathname: string): Promise<Content | undefined> {
  const path = normalize(join(folder, decodeURIComponent(pathname)))
  const type = types[extname(path)]
  if (!path.startsWith(folder + sep) || !type) return undefined
  return readFile(path).then(
    (bytes) => ({ type, bytes }),
    () => undefined,
  )
}

/** The same from the development server of a checkout. */
async function developedFile(server: string, address: URL): Promise<Content | undefined> {
  const answer = await net.fetch(server + address.pathname + address.search)
  if (!answer.ok) return undefined
  return {
    type: answer.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await answer.arrayBuffer()),
  }
}

/**
 * Serves the built window from `folder`, or from a development server, under a policy that lets it load nothing else.
 * Each page gets a nonce of its own, and what `firstAnswers` says. Resolves once the first page has its script, and after
 * 2 s in any case: what keeps the main process busy afterwards keeps no page waiting.
 */
export function serveWindow(
  folder: string,
  server: string | undefined,
  firstAnswers: () => KnownFirstAnswers,
): Promise<void> {
  let scriptServed: () => void = () => undefined
  const script = new Promise<void>((resolve) => (scriptServed = resolve))
  systemClock.after(longestWait, scriptServed)
  protocol.handle(scheme, async (request) => {
    const address = new URL(request.url)
    if (address.host !== host) return new Response(null, { status: 404 })
    const content = await (server ? developedFile(server, address) : builtFile(folder, address.pathname))
    if (!content) return new Response(null, { status: 404 })
    const nonce = randomBytes(16).toString('base64')
    const isPage = content.type.startsWith('text/html')
    // The first file that a page asks for is its script.
    if (!isPage) systemClock.after(deliveryTime, scriptServed)
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
