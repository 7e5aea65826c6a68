// The yardstick: xterm.js with the application's renderer and scrollback, in its own window, fed straight from
// memory.
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { drawWithGpu } from '../../src/renderer/features/terminal/terminal-drawing'
import { piece } from './output'

/** Bytes of a piece, and bytes written before the page waits for a piece. */
const atOnce = 64 * 1024
const waiting = 1024 * 1024

/** Draws `bytes` bytes in the page's terminal. Returns the milliseconds until the last byte is drawn. */
async function feed(bytes: number): Promise<number> {
  const host = document.createElement('div')
  const place = document.querySelector('.terminal-host')?.getBoundingClientRect()
  if (!place) throw new Error('no terminal is shown')
  host.style.cssText = `position:fixed;left:${String(place.left)}px;top:${String(place.top)}px;width:${String(place.width)}px;height:${String(place.height)}px;z-index:99`
  document.body.append(host)
  const terminal = new Terminal({ scrollback: 10_000, fontSize: 13, lineHeight: 1.2, allowProposedApi: true })
  try {
    const fit = new FitAddon()
    terminal.loadAddon(fit)
    terminal.open(host)
    drawWithGpu(terminal)
    fit.fit()
    const source = new TextEncoder().encode(piece())
    const started = performance.now()
    let unflushed = 0
    for (let written = 0; written < bytes;) {
      for (let at = 0; at < source.length && written < bytes; at += atOnce) {
        const part = source.subarray(at, Math.min(at + atOnce, at + bytes - written))
        written += part.length
        unflushed += part.length
        if (unflushed < waiting && written < bytes) terminal.write(part)
        else {
          await new Promise<void>((resolve) => terminal.write(part, resolve))
          unflushed = 0
        }
      }
    }
    return performance.now() - started
  } finally {
    terminal.dispose()
    host.remove()
  }
}

Object.assign(window, { feed })
