import { laterMessages } from '../src/renderer/platform/i18n'

// The window has them once it rests; the tests begin there.
await laterMessages()
// The document of the tests never rests.
if (typeof document !== 'undefined')
  Object.assign(globalThis, { requestIdleCallback: (act: () => void) => setTimeout(act) })
