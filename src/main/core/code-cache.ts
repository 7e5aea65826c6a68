import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** Bytes of SHA-256, which stand before V8's own in a file of its code cache. */
const digestLength = 32

/** Compiled code of `source`, of which V8 itself checks only the length; undefined where there is none, or another's. */
function readCodeCache(filename: string, source: string): Buffer | undefined {
  try {
    const file = readFileSync(`${filename}.cache`)
    const code = file.subarray(digestLength)
    const digest = createHash('sha256').update(source).update(code).digest()
    return digest.equals(file.subarray(0, digestLength)) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * Has Node load each script whose name ends in .cjs with its code cache, a file beside it that packaging makes
 * (scripts/code-cache.mjs); without one that fits, it is loaded as usual. V8 refuses code of another version or flags.
 */
export function useCodeCache(extensions: NodeJS.RequireExtensions): void {
  const usual = extensions['.js']
  extensions['.cjs'] = (module, filename) => {
    const source = readFileSync(filename, 'utf8')
    const cachedData = readCodeCache(filename, source)
    if (!cachedData) {
      usual?.(module, filename)
      return
    }
    // In such a script there is no `import()`; the build leaves none (electron.vite.config.ts).
    const script = new Script(Module.wrap(source), { filename, cachedData })
    const run: unknown = script.runInThisContext()
    const args = [module.exports, createRequire(filename), module, filename, dirname(filename)]
    if (typeof run === 'function') Reflect.apply(run, module.exports, args)
  }
}
