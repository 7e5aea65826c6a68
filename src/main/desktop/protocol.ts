import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol } from 'electron'

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

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Must run before the application is ready. */
export const registerScheme = (): void =>
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }])

/** Serves the built window from `folder` under a policy that lets it load nothing else. A new nonce for each page. */
export function serveWindow(folder: string): void {
  protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    const path = normalize(
      join(folder, decodeURIComponent(url.pathname === '/' ? '/index.html' : url.pathname)),
    )
    const type = types[extname(path)]
    if (url.host !== host || !path.startsWith(folder + sep) || !type)
      return new Response(null, { status: 404 })
    const nonce = randomBytes(16).toString('base64')
    try {
      const content = await readFile(path)
      const body = type.startsWith('text/html')
        ? content.toString('utf8').replaceAll('__CSP_NONCE__', nonce)
        : new Uint8Array(content)
      return new Response(body, {
        headers: {
          'content-type': type,
          'content-security-policy': policy(nonce),
          'x-content-type-options': 'nosniff',
        },
      })
    } catch {
      return new Response(null, { status: 404 })
    }
  })
}
