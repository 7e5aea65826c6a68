import { app } from 'electron'
import { runInApplication } from '../command-line/run-in-application'
import { closedOutputCode, OutputClosed, writeFile } from '../command-line/terminal'
import { commandStart } from '../core/start-arguments'

function reportError(error: unknown): void {
  try {
    writeFile(2, `wheelhouse: ${String(error)}\n`)
  } catch {
    // Nobody can read it. The exit code remains.
  }
}

async function main(): Promise<never> {
  let code = 1
  try {
    const start = commandStart(process.argv.slice(1), app.isPackaged)
    const { words = [], launch = [] } = start ?? {}
    const folder = app.getPath('userData')
    const finished = await runInApplication(words, folder, process.env)
    if (finished) {
      writeFile(1, finished.printed)
      code = finished.code
    } else {
      // Imported only then: it loads the schemas and texts.
      const { runHere } = await import('../command-line/run-here')
      code = await runHere({ words, launch, program: process.execPath, folder, version: app.getVersion() })
    }
  } catch (error) {
    if (error instanceof OutputClosed) code = closedOutputCode
    else reportError(error)
  }
  process.exit(code)
}

/** entry.mjs waits for it. */
export const ended = main()
