// The window's bridge uses the data that main has put into the page, from the moment its module is loaded, in every
// test.
if (typeof document !== 'undefined') {
  await import('./gallery/fake-main')
  // The test document is never idle.
  Object.assign(globalThis, { requestIdleCallback: (act: () => void) => setTimeout(act) })
}
// The window loads them when idle; tests have them from the start.
const { laterMessages } = await import('../src/renderer/platform/i18n')
await laterMessages()

export {}
