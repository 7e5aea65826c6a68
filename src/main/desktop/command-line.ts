import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { app } from 'electron'
import { commandStart } from '../core/start-arguments'

// The command line runs in a thread while the main thread waits: Electron then opens no display, and ends without getting
// ready (docs/command-line.md).
const start = commandStart(process.argv.slice(1), app.isPackaged)
const ended = new Int32Array(new SharedArrayBuffer(8))
/** Built from command-line/worker.ts. */
const script = join(__dirname, 'command-line-thread.cjs')
const worker = new Worker(script, {
  execArgv: [],
  workerData: {
    words: start?.words ?? [],
    launch: start?.launch ?? [],
    program: process.execPath,
    folder: app.getPath('userData'),
    version: app.getVersion(),
    ended,
  },
})
worker.on('error', () => undefined)
Atomics.wait(ended, 0, 0)
process.exit(ended[1])
