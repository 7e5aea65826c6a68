import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { publicAddresses, seenAddress } from './own-addresses'

const at = (address: string): NetworkInterfaceInfo => {
  const common = { address, netmask: '', mac: '', internal: false, cidr: null }
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' }
}

it('finds public addresses, IPv4 first, each once', () => {
  expect(
    publicAddresses({
      wlan0: [at('2a01:4f8::7'), at('fe80::1'), at('192.168.1.7')],
      ppp0: [at('93.184.215.14'), at('10.8.0.2')],
      ppp1: [at('93.184.215.14')],
      lo: [at('127.0.0.1'), at('::1')],
    }),
  ).toEqual(['93.184.215.14', '2a01:4f8::7'])
})

it.each(['172.31.255.1', '100.64.0.1', '169.254.1.1', '192.0.2.2', '203.0.113.5', 'fd00::1'])(
  'does not list %s, which is not public',
  (address) => expect(publicAddresses({ any: [at(address)] })).toEqual([]),
)

it.each([
  ['8.8.8.8 50222 10.0.0.5 22', '8.8.8.8'],
  ['10.8.0.2 50222 10.0.0.5 22\n', '10.8.0.2'],
  ['2a01:4f8::7 50222 2a01:4f8::1 22', '2a01:4f8::7'],
  ['::ffff:8.8.8.8 50222 ::ffff:10.0.0.5 22', '8.8.8.8'],
  ['127.0.0.1 50222 127.0.0.1 22', null],
  ['::1 50222 ::1 22', null],
  ['', null],
  ['$SSH_CONNECTION', null],
])('reads from %j the address %s', async (stdout, address) => {
  const exec = () => Promise.resolve({ kind: 'finished' as const, stdout, stderr: '', status: 0 })
  expect(await seenAddress({ exec })).toBe(address)
})

it('finds no address if the machine does not answer', async () => {
  expect(await seenAddress({ exec: () => Promise.resolve({ kind: 'timed-out' }) })).toBeNull()
  expect(await seenAddress({ exec: () => Promise.reject(new Error('lost')) })).toBeNull()
})
