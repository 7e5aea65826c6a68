import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from '../../fixtures/scripted-server'

/** Answers of a release server, as set by a test. */
export interface Release {
  readonly version?: string
  /** Content of the file in the feed. */
  readonly content: string
  /** Content sent instead. */
  readonly sent?: string
  /** The HTTP status of every answer. */
  readonly status?: number
  /** The connection breaks in the middle of the file. */
  readonly cut?: boolean
}

const feedOf = ({ version = '1.1.0', content }: Release): string => {
  const sha512 = createHash('sha512').update(content).digest('base64')
  return [
    `version: ${version}`,
    'files:',
    '  - url: wheelhouse.AppImage',
    `    sha512: ${sha512}`,
    `    size: ${content.length}`,
    'path: wheelhouse.AppImage',
    `sha512: ${sha512}`,
    "releaseDate: '2026-01-01T00:00:00.000Z'",
    `releaseNotes: '<h2>New</h2><p>Faster &amp; calmer<img src=x></p>'`,
    '',
  ].join('\n')
}

/** A release server on loopback; `offer` changes its answers. */
export async function startUpdateServer() {
  let release: Release = { content: '' }
  const seen: { readonly url: string; readonly staging: unknown }[] = []
  const server = createServer(({ url = '', headers }, response) => {
    seen.push({ url, staging: headers['x-user-staging-id'] })
    if (release.status) return void response.writeHead(release.status).end()
    if (url.startsWith('/latest-linux')) return void response.end(feedOf(release))
    if (!url.startsWith('/wheelhouse.AppImage')) return void response.writeHead(404).end()
    const { content, sent = content, cut } = release
    response.writeHead(200, { 'content-length': sent.length })
    if (cut) response.write(sent.slice(0, sent.length / 2), () => response.destroy())
    else response.end(sent)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    offer: (next: Release): void => void (release = next),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
