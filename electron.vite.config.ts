import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import { notePackages } from './scripts/third-party-notices.mjs'

// Targets are named here because electron-vite reads them from the installed electron package, while a
// checkout may run on an older runtime (docs/electron-runtime.md).
const node = 'node20.18'
const chrome = 'chrome130'

// Loaded at run time from node_modules: keytar and libsql are native modules and may be absent; the others are
// ssh2's optional accelerators, which it does without.
const external = ['electron', 'keytar', 'libsql', 'cpu-features', /sshcrypto\.node$/]

export default defineConfig({
  main: {
    plugins: [notePackages('main')],
    build: {
      target: node,
      externalizeDeps: false,
      rollupOptions: {
        input: { index: 'src/main/index.ts', sandbox: 'src/sandbox/process.ts' },
        external,
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
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
    plugins: [vue(), notePackages('renderer')],
    // npm run dev: the window loads these files through app:// too, so the server says where its socket is.
    html: { cspNonce: '__CSP_NONCE__' },
    server: { host: '127.0.0.1', port: 5173, strictPort: true, hmr: { host: '127.0.0.1', clientPort: 5173 } },
    build: {
      target: chrome,
      minify: true,
      // The window's policy loads fonts and pictures from its own origin alone, not from data: addresses.
      assetsInlineLimit: 0,
      rollupOptions: { input: 'src/renderer/index.html' },
    },
  },
})
