import { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'

/** Whether a graphics processor draws. Where the processor does it, WebGL takes ten times as long as the page itself. */
function hasGpu(): boolean {
  const context = document
    .createElement('canvas')
    .getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/** Lets a graphics processor draw a terminal that is on the page; without one it is drawn with elements of the page. */
export function drawWithGpu(terminal: Pick<Terminal, 'loadAddon'>): void {
  if (!hasGpu()) return
  try {
    const webgl = new WebglAddon()
    webgl.onContextLoss(() => webgl.dispose())
    terminal.loadAddon(webgl)
  } catch {
    // The elements of the page stay.
  }
}
