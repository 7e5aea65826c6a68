import { expect, it } from 'vitest'
import { shortFingerprint } from './short-fingerprint'

it.each([
  ['SHA256:4k9cQx1v0nLxgRkHcQ2mZ7yBfT3uJ8sWpEoDdXZt1w0', 'SHA256:4k9c…t1w0'],
  ['SHA256:short', 'SHA256:short'],
  ['', ''],
])('shows %j as %j', (whole, short) => expect(shortFingerprint(whole)).toBe(short))
