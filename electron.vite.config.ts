import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import { notePackages } from './scripts/third-party-notices.mjs'
import { withoutJsonSchema } from './scripts/without-json-schema.mjs'

// Targets are named here because electron-vite reads them from the installed electron package, while a
// checkout may run on an older runtime (docs/electron-runtime.md).
const node = 'node20.18'
const chrome = 'chrome130'

// Loaded at run time from node_modules: keytar, libsql and node-pty are native modules and may be absent; the others are
// ssh2's optional accelerators, which it does without.
const external = ['electron', 'keytar', 'libsql', '@lydell/node-pty', 'cpu-features', /sshcrypto\.node$/]

/** What is asked of rolldown about its modules. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null
}

/**
 * What naive-ui's index names and the first paint does not use: toasts and forms. They go to where they are used. If the
 * first script comes to use one, that is a file more (npm run bench -- bundle).
 */
const forms =
  /naive-ui\/es\/(input|checkbox|message|locales|_mixins\/use-(locale|form-item)|_internal\/(scrollbar|clear|suffix|close|icons))\b|node_modules\/(date-fns|evtd|vueuc|@juggle)\//

/** Whether a module is loaded with the first script: the entry imports it, directly or through others. */
function inFirstScript(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (seen.has(id) || forms.test(id)) return false
  seen.add(id)
  const info = graph.getModuleInfo(id)
  return info !== null && (info.isEntry || info.importers.some((one) => inFirstScript(one, graph, seen)))
}

export default defineConfig({
  main: {
    plugins: [notePackages('main')],
    build: {
      target: node,
      externalizeDeps: false,
      rollupOptions: {
        input: {
          ...{ entry: 'src/main/entry.ts', index: 'src/main/index.ts', sandbox: 'src/sandbox/process.ts' },
          'disk-thread': 'src/main/files/disk-thread.cjs',
        },
        external,
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: '[name]-[hash].cjs',
          // `import()` of a package in CommonJS has Node's other loader read it: 20 ms for libsql.
          dynamicImportInCjs: false,
          // V8 reads a third less; names stay, for what is reported. One character beyond Latin-1 would have it keep the
          // whole text of a script in two bytes each.
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
    // npm run dev: the window loads these files through app:// too, so the server says where its socket is.
    html: { cspNonce: '__CSP_NONCE__' },
    server: { host: '127.0.0.1', port: 5173, strictPort: true, hmr: { host: '127.0.0.1', clientPort: 5173 } },
    build: {
      target: chrome,
      minify: true,
      // The window's policy loads fonts and pictures from its own origin alone, not from data: addresses.
      assetsInlineLimit: 0,
      // Vite's warning of 500 kB is meant for the web. Here files lie on disk; npm run bench -- bundle measures what the
      // first paint reads of them.
      chunkSizeWarningLimit: 2_000,
      rollupOptions: {
        input: 'src/renderer/index.html',
        // One script for the first paint: each file more is a way to the main process and back.
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
