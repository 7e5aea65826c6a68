import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import {
  appOrigin,
  type DevelopmentServer,
  scheme,
  serveScheme,
  type WindowFile,
  windowFiles,
} from './window-files'

const page = '<html><head><style nonce="__CSP_NONCE__"></style></head></html>'
const answers = () => ({ withoutAccount: false, settings: {}, systemLocales: ['en-US'], lastView: null })

function builtWindow(): string {
  const folder = join(temporaryFolder(), 'renderer')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'assets', 'index.js'), 'start()')
  writeFileSync(join(folder, '..', 'secret.js'), 'secret')
  return folder
}

/** Requests a file by each way of serving the scheme. */
const ways: Readonly<
  Record<string, (answer: (url: string) => Promise<WindowFile>, url: string) => Promise<Response>>
> = {
  registerBufferProtocol: (answer, url) =>
    new Promise((resolve) => {
      serveScheme(
        {
          handle: () => expect.unreachable(),
          registerBufferProtocol(name, handler) {
            expect(name).toBe(scheme)
            const request = { url, headers: {}, method: 'GET', referrer: '' }
            handler(request, (file) => {
              if (Buffer.isBuffer(file) || !Buffer.isBuffer(file.data)) return expect.unreachable()
              const headers = new Headers()
              for (const [key, value] of Object.entries(file.headers ?? {})) headers.set(key, String(value))
              resolve(new Response(new Uint8Array(file.data), { status: file.statusCode ?? 200, headers }))
            })
            return true
          },
        },
        answer,
      )
    }),
  handle: (answer, url) =>
    new Promise((resolve, reject) => {
      serveScheme(
        {
          handle(name, handler) {
            expect(name).toBe(scheme)
            Promise.resolve(handler(new Request(url))).then(resolve, reject)
          },
        },
        answer,
      )
    }),
}

describe.each(Object.entries(ways))('the window’s scheme, served by %s', (_way, request) => {
  const files = windowFiles(builtWindow(), undefined, answers)
  const get = (path: string, from = files) => request(from, appOrigin + path)

  it('has each page under a policy with a nonce of its own', async () => {
    const pages = await Promise.all([get('/index.html'), get('/index.html')])
    const nonces = await Promise.all(
      pages.map(async (response) => {
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
        const policy = response.headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
        expect(policy).toContain("connect-src 'none'")
        const [, nonce] = /nonce="([^"]+)"/.exec(await response.text()) ?? []
        expect(policy).toContain(`'nonce-${nonce ?? ''}'`)
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(2)
  })

  it('has each script under the same policy', async () => {
    const response = await get('/assets/index.js')
    expect(await response.text()).toBe('start()')
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it.each(['/nothing.js', '/assets/index.map', '/%2e%2e/secret.js', '/%', '/assets/'])(
    'has nothing at %s',
    async (path) => {
      const response = await get(path)
      expect([response.status, await response.text()]).toEqual([404, ''])
    },
  )

  it('has nothing at another host', async () => {
    expect((await request(files, `${scheme}://elsewhere/index.html`)).status).toBe(404)
  })

  it('has the files of a development server, whose socket the page may use', async () => {
    const server: DevelopmentServer = {
      address: 'http://localhost:5173',
      fetch(address) {
        if (address.endsWith('/gone.js')) return Promise.reject(new Error('ECONNREFUSED'))
        const isFound = address === 'http://localhost:5173/index.html?t=1'
        return Promise.resolve(
          new Response(page, { status: isFound ? 200 : 500, headers: { 'content-type': 'text/html' } }),
        )
      },
    }
    const developed = windowFiles(builtWindow(), server, answers)
    const response = await get('/index.html?t=1', developed)
    expect(await response.text()).toContain('"systemLocales":["en-US"]')
    expect(response.headers.get('content-security-policy')).toContain('connect-src ws://localhost:5173')
    expect((await get('/other.js', developed)).status).toBe(404)
    expect((await get('/gone.js', developed)).status).toBe(404)
  })
})
