import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { app, BrowserWindow, protocol } from 'electron'
import { serveStreams } from '../../../src/main/core/serve-stream'
import { hostStreams } from '../../../src/main/desktop/stream-host'
import { trustedSender } from '../../../src/main/desktop/bridge-host'
import { weigh } from '../../../src/shared/bridge/stream-frame'
import type { StreamPort } from '../../../src/shared/bridge/stream-peer'
import { checksum, rows } from './table'

// A program of the tests: the application's own preload and both its stream ends, over a table of two test streams.

const origin = 'app://streams'
const report = {
  checksum: 0,
  received: 0,
  /** Upper bound on bytes in transit or waiting. */
  highWaterUp: 0,
  highWaterDown: 0,
  /** Upper bound on bytes that the process received. */
  memory: 0,
  aborted: Array<string>(),
}
/** Read by the test. */
Object.assign(globalThis, { streamReport: report })

/** Counts bytes in transit per direction: sent bytes minus granted credit. */
function counted(port: StreamPort): StreamPort {
  let up = 0
  let down = 0
  return {
    ...port,
    post(frame, transfer) {
      if (frame.kind === 'message') down += weigh(frame.value).size
      if (frame.kind === 'credit') up -= frame.bytes
      report.highWaterDown = Math.max(report.highWaterDown, down)
      report.memory = Math.max(report.memory, process.memoryUsage().rss)
      port.post(frame, transfer)
    },
    connect: ({ message, closed }) =>
      port.connect({
        closed,
        message(frame) {
          if (typeof frame === 'object' && frame !== null) {
            if ('value' in frame) up += weigh(frame.value).size
            if ('bytes' in frame && typeof frame.bytes === 'number') down -= frame.bytes
          }
          report.highWaterUp = Math.max(report.highWaterUp, up)
          message(frame)
        },
      }),
  }
}

const serve = serveStreams(rows, {
  async 'test.echo'(_input, { messages, send, signal }) {
    signal.addEventListener('abort', () => report.aborted.push('test.echo'))
    for await (const bytes of messages) {
      report.checksum = checksum(report.checksum, bytes)
      report.received += bytes.byteLength
      await send(bytes)
    }
  },
  async 'test.endless'(_input, { send, signal }) {
    signal.addEventListener('abort', () => report.aborted.push('test.endless'))
    for (;;) await send(new Uint8Array(100_000))
  },
})

function open(): BrowserWindow {
  const window = new BrowserWindow({
    webPreferences: { preload: join(__dirname, 'preload.cjs'), sandbox: true, contextIsolation: true },
  })
  void window.loadURL(`${origin}/index.html`)
  return window
}

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
void app.whenReady().then(() => {
  const page = `<!doctype html><script>${readFileSync(join(__dirname, 'page.js'), 'utf8')}</script>`
  protocol.handle('app', () => new Response(page, { headers: { 'content-type': 'text/html' } }))
  const first = open()
  hostStreams(
    (name, input, port) => serve(name, input, counted(port)),
    trustedSender((contents) => contents === first.webContents, origin),
  )
})
