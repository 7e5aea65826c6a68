import { expect } from 'vitest'

/** Checks that a text function cuts a megabyte and replaces characters that disguise a text. */
export function expectSafe(textOf: (foreign: string) => string | null): void {
  expect(textOf('x'.repeat(1_000_000))?.length).toBeLessThan(1_100)
  expect(textOf('photo\u202Egnp.exe')).toContain('photo\uFFFDgnp.exe')
}
