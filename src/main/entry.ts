import { createRequire } from 'node:module'
import { useCodeCache } from './core/code-cache'

// Entry point of Electron. Contains only what speeds up loading the rest.
const load = createRequire(__filename)
useCodeCache(load.extensions)
load('./index.cjs')
