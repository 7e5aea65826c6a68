import { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'

/** Returns whether WebGL uses a graphics processor. In software it is ten times slower than the page. */
function hasGpu(): boolean {
  const context = document
    .createElement('canvas')
    .getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/** Draws a mounted terminal with the graphics processor, if there is one. Otherwise elements of the page draw it. */
export function drawWithGpu(terminal: Pick<Terminal, 'loadAddon'>): void {
  if (!hasGpu()) return
  try {
    const webgl = new WebglAddon()
    webgl.onContextLoss(() => webgl.dispose())
    terminal.loadAddon(webgl)
  } catch {
    // Elements of the page draw it.
  }
}
