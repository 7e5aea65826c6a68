// Leaves listeners of each kind behind, and prints how many more are counted, also after they are cleared. Runs in
// its own process: counting reads the whole heap, which is large in a test run.
import { EventEmitter } from 'node:events'
import { createEmitter } from '#shared/emitter'
import { countListeners } from './listeners'

const own = createEmitter<number>()
const node = new EventEmitter()
const { signal } = new AbortController()
const before = await countListeners()
for (let count = 0; count < 5; count += 1) own.on(() => undefined)
for (let count = 0; count < 7; count += 1) node.on('data', () => undefined)
for (let count = 0; count < 9; count += 1) signal.addEventListener('abort', () => undefined)
const after = await countListeners()
own.clear()
const cleared = await countListeners()
console.log(
  JSON.stringify({
    own: after.own - before.own,
    node: after.node - before.node,
    abort: after.abort - before.abort,
    ownOnceCleared: cleared.own - before.own,
  }),
)
