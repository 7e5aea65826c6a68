import { X509Certificate } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeCertificate, type MadeCertificate } from '../../../test/fixtures/certificates'
import { isTrustedChain } from './trusted-chain'

const host = 'gpu.example.test'
const now = Math.floor(Date.now() / 1000)
const day = 86_400
const root = makeCertificate({ name: 'Acme Root', authority: {} })
type Options = Partial<Parameters<typeof makeCertificate>[0]>
const authority = (options: Options = {}) =>
  makeCertificate({ name: 'Acme Issuing', issuer: root, authority: {}, ...options })
const server = (issuer: MadeCertificate, options: Options = {}) =>
  makeCertificate({ name: 'server', issuer, hosts: [host], ...options })

const trusts = (chain: readonly MadeCertificate[], anchors = [root], name = host, at = now): boolean =>
  isTrustedChain(
    name,
    chain.map(({ certificate }) => certificate),
    anchors.map(({ certificate }) => certificate),
    at,
  )

describe('a server’s certificate', () => {
  it('is trusted if an added authority signed it, directly or through intermediates in any order', () => {
    const one = authority()
    const two = authority({ name: 'Acme Issuing 2', issuer: one })
    expect(trusts([server(root)])).toBe(true)
    expect(trusts([server(one), one])).toBe(true)
    expect(trusts([server(two), one, two])).toBe(true)
    expect(trusts([server(one)], [one])).toBe(true)
  })

  it('is trusted only for its hosts and addresses', () => {
    const leaf = server(root, { name: 'other.example.test', hosts: ['*.example.test', '10.0.0.7'] })
    expect(trusts([leaf])).toBe(true)
    expect(trusts([leaf], [root], '10.0.0.7')).toBe(true)
    expect(trusts([leaf], [root], '10.0.0.8')).toBe(false)
    expect(trusts([leaf], [root], 'a.b.example.test')).toBe(false)
    // The name of the subject is ignored.
    expect(trusts([server(root, { name: host, hosts: ['a.test'] })])).toBe(false)
  })

  it('is refused if another authority of the same name signed it, or an intermediate is missing', () => {
    const namesake = makeCertificate({ name: root.name, authority: {} })
    const one = authority()
    expect(trusts([server(namesake), namesake])).toBe(false)
    expect(trusts([server(one)])).toBe(false)
    expect(trusts([])).toBe(false)
    expect(trusts([server(root)], [])).toBe(false)
  })

  it('is refused outside its own validity and the validity of an authority', () => {
    expect(trusts([server(root, { to: now - day / 2 })])).toBe(false)
    expect(trusts([server(root, { from: now + day })])).toBe(false)
    const late = authority({ to: now - day / 2 })
    expect(trusts([server(late), late])).toBe(false)
    expect(trusts([server(root, { to: now + 90 * day })], [root], host, now + 60 * day)).toBe(false)
  })

  it('is refused if its issuer is no authority, or may not have authorities below it', () => {
    const plain = server(root)
    expect(trusts([server(plain), plain])).toBe(false)
    const last = authority({ authority: { pathLength: 0 } })
    const beyond = authority({ name: 'Acme Beyond', issuer: last })
    expect(trusts([server(last), last])).toBe(true)
    expect(trusts([server(beyond), beyond, last])).toBe(false)
  })

  it('is refused if its issuer is an authority for another purpose', () => {
    const mail = authority({ usage: ['1.3.6.1.5.5.7.3.4'] })
    expect(trusts([server(mail), mail])).toBe(false)
    const both = authority({ usage: ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.1'] })
    expect(trusts([server(both), both])).toBe(true)
    const any = authority({ usage: ['2.5.29.37.0'] })
    expect(trusts([server(any), any])).toBe(true)
  })

  it('is checked with each signature once although the intermediates all sign each other', () => {
    const stranger = makeCertificate({ name: 'Stranger', authority: {} })
    const verify = vi.spyOn(X509Certificate.prototype, 'verify')
    onTestFinished(() => verify.mockRestore())
    expect(trusts([server(stranger), ...Array.from({ length: 4 }, () => stranger)])).toBe(false)
    // Each of the four may have signed the server's certificate. Their signatures of each other are followed once.
    expect(verify.mock.calls.length).toBeLessThanOrEqual(4 + 4 * 4)
  })

  it('is refused with a weak signature, for another usage, or with an unchecked extension', () => {
    expect(trusts([server(root, { digest: 'sha1' })])).toBe(false)
    expect(trusts([server(root, { usage: ['1.3.6.1.5.5.7.3.2'] })])).toBe(false)
    expect(trusts([server(root, { usage: ['1.3.6.1.5.5.7.3.1'] })])).toBe(true)
    const value = Buffer.from('3000', 'hex')
    expect(trusts([server(root, { others: [{ id: '1.2.3.4', critical: true, value }] })])).toBe(false)
    expect(trusts([server(root, { others: [{ id: '1.2.3.4', value }] })])).toBe(true)
    const limited = authority({ others: [{ id: '2.5.29.30', value }] })
    expect(trusts([server(limited), limited])).toBe(false)
  })
})
