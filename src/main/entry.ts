import { createRequire } from 'node:module'
import { useCodeCache } from './core/code-cache'

// What Electron starts: nothing but what makes the rest come sooner.
const load = createRequire(__filename)
useCodeCache(load.extensions)
load('./index.cjs')
