import { expect, it } from 'vitest'
import { notificationBody, systemLine } from './system-text'

it('a system line has one line, its own direction and bounded length', () => {
  expect(systemLine('box\n— stopped\u202Edeppots')).toBe('box — stopped deppots')
  expect(systemLine('z\u200Bero\uFEFF\u001b[31mred')).toBe('z ero [31mred')
  expect(systemLine('x'.repeat(10_000))).toHaveLength(120)
  expect(systemLine(`${'x'.repeat(118)}😀😀`)).toBe(`${'x'.repeat(118)}…`)
})

it('the body of a notification is bounded and not markup on Linux', () => {
  const name = '<a href="https://example.com">box</a>\u202E<img src="http://example.com/x.png">'
  expect(notificationBody(`${name}\nis idle`, 'linux')).toBe(
    '‹a href="https://example.com"›box‹/a› ‹img src="http://example.com/x.png"›\nis idle',
  )
  expect(notificationBody('a < b', 'darwin')).toBe('a < b')
  expect(notificationBody('x\u0000'.repeat(1_000_000), 'win32')).toHaveLength(500)
})
