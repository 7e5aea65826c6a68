import { createRequire } from 'node:module'
import { useCodeCache } from './core/code-cache'
import { commandStart } from './core/start-arguments'

// Entry point of Electron. Contains only what speeds up loading the rest.
const load = createRequire(__filename)
useCodeCache(load.extensions)
// Electron itself is not loaded yet, and some runtimes don't set process.defaultApp.
const isPackaged = __filename.startsWith(process.resourcesPath)
load(commandStart(process.argv.slice(1), isPackaged) === null ? './index.cjs' : './command-line.cjs')
