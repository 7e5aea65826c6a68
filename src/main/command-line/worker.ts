import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { runInApplication } from './run-in-application'
import type { ThreadData } from './thread-data'
import { closedOutputCode, OutputClosed } from './terminal'
import { writeFile } from './write-file'

async function main(data: ThreadData): Promise<void> {
  const { words, folder, ended } = data
  let code = 1
  try {
    const finished = await runInApplication(words, folder, process.env)
    if (finished) {
      writeFile(1, finished.printed)
      code = finished.code
    }
    // Imported only then: it loads the schemas and texts. Also, the thread ends even if they fail.
    else code = await (await import('./run-here')).runHere(data)
  } catch (error) {
    if (error instanceof OutputClosed) code = closedOutputCode
    else writeSync(2, `wheelhouse: ${String(error)}\n`)
  } finally {
    Atomics.store(ended, 1, code)
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
  }
}

// Only desktop/command-line.ts starts this thread.
const isThreadData = (data: unknown): data is ThreadData =>
  typeof data === 'object' && data !== null && 'ended' in data
if (isThreadData(workerData)) void main(workerData)
