import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

const digestBytes = 32

/** Returns the cached code of `source`, or undefined. V8 itself only compares the length of the source. */
function readCodeCache(filename: string, source: string): Buffer | undefined {
  try {
    const file = readFileSync(`${filename}.cache`)
    const code = file.subarray(digestBytes)
    const digest = createHash('sha256').update(source).update(code).digest()
    return digest.equals(file.subarray(0, digestBytes)) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes Node load `.cjs` scripts with their V8 code cache, a file that packaging writes next to each script
 * (scripts/code-cache.mjs). Without a valid cache they load as usual. V8 rejects caches of another version or with
 * other flags.
 */
export function useCodeCache(extensions: NodeJS.RequireExtensions): void {
  const loadScript = extensions['.js']
  extensions['.cjs'] = (module, filename) => {
    const source = readFileSync(filename, 'utf8')
    const cachedData = readCodeCache(filename, source)
    if (!cachedData) {
      loadScript?.(module, filename)
      return
    }
    // Such scripts contain no `import()`; the build leaves none (electron.vite.config.ts).
    const script = new Script(Module.wrap(source), { filename, cachedData })
    const run: unknown = script.runInThisContext()
    const args = [module.exports, createRequire(filename), module, filename, dirname(filename)]
    if (typeof run === 'function') Reflect.apply(run, module.exports, args)
  }
}
