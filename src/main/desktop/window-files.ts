import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import type { Protocol } from 'electron'
import type { KnownFirstAnswers } from '#shared/bridge/first-answers'
import { withFirstAnswers } from './first-answers'

export const scheme = 'app'
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

interface Content {
  readonly type: string
  readonly bytes: Buffer
}

async function builtFile(folder: string, pathname: string): Promise<Content | undefined> {
  const path = normalize(join(folder, decodeURIComponent(pathname)))
  const type = types[extname(path)]
  if (!path.startsWith(folder + sep) || !type) return undefined
  return { type, bytes: await readFile(path) }
}

/** A development server, and the client that requests its files. */
export interface DevelopmentServer {
  readonly address: string
  fetch(address: string): Promise<Response>
}

async function developmentFile(server: DevelopmentServer, path: string): Promise<Content | undefined> {
  const response = await server.fetch(server.address + path)
  if (!response.ok) return undefined
  return {
    type: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

export interface WindowFile {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly data: Buffer
}

/**
 * Returns the answer to each request of the window: a built file from `folder` or a file of the development server, under
 * a policy that blocks all other sources. Each page has its own nonce and the first answers. Anything else is a 404.
 */
export function windowFiles(
  folder: string,
  server: DevelopmentServer | undefined,
  firstAnswers: () => KnownFirstAnswers,
): (url: string) => Promise<WindowFile> {
  const contentOf = async (address: URL): Promise<Content | undefined> => {
    if (address.host !== host) return undefined
    return server
      ? developmentFile(server, address.pathname + address.search)
      : builtFile(folder, address.pathname)
  }
  return async (url) => {
    const content = await contentOf(new URL(url)).catch(() => undefined)
    if (!content) return { statusCode: 404, headers: {}, data: Buffer.alloc(0) }
    const { type, bytes } = content
    const nonce = randomBytes(16).toString('base64')
    const page = async (): Promise<Buffer> =>
      Buffer.from(
        await withFirstAnswers(bytes.toString().replaceAll('__CSP_NONCE__', nonce), folder, firstAnswers()),
      )
    return {
      statusCode: 200,
      headers: {
        'content-type': type,
        'content-security-policy': policy(nonce, server?.address.replace(/^http/, 'ws') ?? "'none'"),
        'x-content-type-options': 'nosniff',
      },
      data: type.startsWith('text/html') ? await page() : bytes,
    }
  }
}

/**
 * Serves the scheme. `registerBufferProtocol` is deprecated, but needs no `Response`: Node takes 18 ms to load that while
 * the window waits. Without it, `handle` serves the same.
 */
export function serveScheme(
  protocol: Pick<Protocol, 'handle'> & Partial<Pick<Protocol, 'registerBufferProtocol'>>,
  answer: (url: string) => Promise<WindowFile>,
): void {
  if (protocol.registerBufferProtocol) {
    protocol.registerBufferProtocol(scheme, ({ url }, respond) => void answer(url).then(respond))
    return
  }
  protocol.handle(scheme, async ({ url }) => {
    const { statusCode, headers, data } = await answer(url)
    return new Response(new Uint8Array(data), { status: statusCode, headers })
  })
}
