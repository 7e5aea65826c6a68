import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { publicAddresses } from './own-addresses'

const at = (address: string): NetworkInterfaceInfo => {
  const common = { address, netmask: '', mac: '', internal: false, cidr: null }
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' }
}

it('finds the addresses that the world may see, IPv4 first, each once', () => {
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
  'knows that nobody outside sees %s',
  (address) => expect(publicAddresses({ any: [at(address)] })).toEqual([]),
)
