// The window's bridge takes what main has put into the page when its module is loaded, whichever test comes first.
if (typeof document !== 'undefined') {
  await import('./gallery/fake-main')
  // The document of the tests never rests.
  Object.assign(globalThis, { requestIdleCallback: (act: () => void) => setTimeout(act) })
}
// The window has them once it rests; the tests begin there.
const { laterMessages } = await import('../src/renderer/platform/i18n')
await laterMessages()

export {}
