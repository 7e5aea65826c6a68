import { readFileSync } from 'node:fs'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import { notePackages } from './scripts/third-party-notices.mjs'
import { withoutJsonSchema } from './scripts/without-json-schema.mjs'

// electron-vite would read the targets from the installed electron package, but a checkout may run on an older
// runtime (docs/electron-runtime.md).
const node = 'node20.18'
const chrome = 'chrome130'

// Loaded at run time from node_modules: keytar, libsql and node-pty are native modules and may be absent. The rest are
// ssh2's optional accelerators.
const external = ['electron', 'keytar', 'libsql', '@lydell/node-pty', 'cpu-features', /sshcrypto\.node$/]

/** Part of rolldown's information about its modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null
}

/**
 * Parts of naive-ui's index that the first paint does not use: toasts and forms. They are bundled with their users. If the
 * first script uses one, that is one more file (npm run bench -- bundle).
 */
const forms =
  /naive-ui\/es\/(input|checkbox|message|locales|_mixins\/use-(locale|form-item)|_internal\/(scrollbar|clear|suffix|close|icons))\b|node_modules\/(date-fns|evtd|vueuc|@juggle)\//

/** Returns whether a module is loaded with the first script: the entry imports it directly or indirectly. */
function inFirstScript(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (seen.has(id) || forms.test(id)) return false
  seen.add(id)
  const info = graph.getModuleInfo(id)
  return info !== null && (info.isEntry || info.importers.some((one) => inFirstScript(one, graph, seen)))
}

/** Adds the entry module as it is: the other scripts are CommonJS. */
const withEntryModule = {
  name: 'entry-module',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown }) {
    this.emitFile({
      type: 'asset',
      fileName: 'entry.mjs',
      source: readFileSync('src/main/entry.mjs', 'utf8'),
    })
  },
}

export default defineConfig({
  main: {
    plugins: [notePackages('main'), withEntryModule],
    build: {
      target: node,
      externalizeDeps: false,
      rollupOptions: {
        input: {
          entry: 'src/main/entry.ts',
          index: 'src/main/index.ts',
          'command-line': 'src/main/desktop/command-line.ts',
          sandbox: 'src/sandbox/process.ts',
          'disk-thread': 'src/main/files/disk-thread.cjs',
        },
        external,
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name]-[hash].cjs',
          // `import()` of a CommonJS package uses Node's other loader: 20 ms for libsql.
          dynamicImportInCjs: false,
          // V8 reads a third less. Names stay for error reports. A single character beyond Latin-1 would make V8 store the
          // whole script in two bytes per character.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
        },
      },
    },
  },
  preload: {
    plugins: [notePackages('preload')],
    build: {
      target: node,
      externalizeDeps: false,
      rollupOptions: {
        input: { index: 'src/preload/index.ts' },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [vue(), withoutJsonSchema(), notePackages('renderer')],
    // npm run dev: the window loads these files through app:// too, so the server reports the address of its socket.
    html: { cspNonce: '__CSP_NONCE__' },
    server: { host: '127.0.0.1', port: 5173, strictPort: true, hmr: { host: '127.0.0.1', clientPort: 5173 } },
    build: {
      target: chrome,
      minify: true,
      // The window's policy loads fonts and pictures only from its own origin, not from data: addresses.
      assetsInlineLimit: 0,
      // Vite's warning of 500 kB is meant for the web. Here files are on disk; npm run bench -- bundle measures the part
      // for the first paint.
      chunkSizeWarningLimit: 2_000,
      rollupOptions: {
        input: 'src/renderer/index.html',
        // One script for the first paint: each further file is a round trip to the main process.
        output: {
          codeSplitting: {
            groups: [
              { debugName: 'first', name: (id, graph) => (inFirstScript(id, graph) ? 'first' : null) },
            ],
          },
        },
      },
    },
  },
})
