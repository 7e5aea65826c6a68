// Entry point of Electron. Electron waits for a module before it gets ready: a command of the command line ends this
// process before that, and opens no display.
import { createRequire } from 'node:module'

await createRequire(import.meta.url)('./entry.cjs').ended
