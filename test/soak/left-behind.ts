// Leaves listeners of each kind behind and prints how many more are counted, and how many once they are cleared. A
// process of its own: counting reads the whole heap, and that of a test run is large.
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
