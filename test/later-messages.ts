import { laterMessages } from '../src/renderer/platform/i18n'

// The window has them once it rests; the tests begin there.
await laterMessages()
