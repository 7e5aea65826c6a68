import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { expiryOf } from './jwt'

describe('the expiry of a token', () => {
  it('is read from the token, in epoch seconds', async () => {
    const token = await new SignJWT({ use: 'ä' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(1_700_001_800)
      .sign(new TextEncoder().encode('a key that only the service has'))
    expect(expiryOf(token)).toBe(1_700_001_800)
  })

  it.each([
    ['a token that says none', new UnsecuredJWT({}).encode()],
    ['an opaque token', 'whs_3f9a'],
    ['a broken token', 'a.%%%.c'],
    ['a token whose expiry is text', `a.${Buffer.from('{"exp":"soon"}').toString('base64url')}.c`],
    ['nothing', ''],
  ])('is unknown for %s', (_, token) => {
    expect(expiryOf(token)).toBeUndefined()
  })
})
