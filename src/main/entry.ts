import { createRequire } from 'node:module'
import { useCodeCache } from './core/code-cache'
import { commandStart } from './core/start-arguments'

// Loaded by entry.mjs. Contains only what speeds up loading the rest.
const load = createRequire(__filename)
useCodeCache(load.extensions)
// Electron itself is not loaded yet, and some runtimes don't set process.defaultApp.
const isPackaged = __filename.startsWith(process.resourcesPath)
const isCommand = commandStart(process.argv.slice(1), isPackaged) !== null
const loaded: unknown = load(isCommand ? './command-line.cjs' : './index.cjs')
/** Settles once a command has ended; undefined for the application. */
export const ended: unknown =
  typeof loaded === 'object' && loaded !== null && 'ended' in loaded ? loaded.ended : undefined
