import { createRequire } from 'node:module'
import { useCodeCache } from './core/code-cache'
import { commandStart } from './core/start-arguments'

// Entry point of Electron. Contains only what speeds up loading the rest.
const load = createRequire(__filename)
useCodeCache(load.extensions)
const isPackaged = process.defaultApp !== true
load(commandStart(process.argv.slice(1), isPackaged) === null ? './index.cjs' : './command-line.cjs')
