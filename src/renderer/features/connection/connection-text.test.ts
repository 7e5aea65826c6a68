import { expect, it } from 'vitest'
import { parsePort, shortFingerprint } from './connection-text'

it.each([
  ['22', 22],
  ['65535', 65_535],
  ['0', null],
  ['65536', null],
  ['22a', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('reads the port %j as %j', (text, port) => expect(parsePort(text)).toBe(port))

it.each([
  ['SHA256:4k9cQx1v0nLxgRkHcQ2mZ7yBfT3uJ8sWpEoDdXZt1w0', 'SHA256:4k9c…t1w0'],
  ['SHA256:short', 'SHA256:short'],
  ['', ''],
])('shows the fingerprint %j as %j', (whole, short) => expect(shortFingerprint(whole)).toBe(short))
