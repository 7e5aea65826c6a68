import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createNetwork } from './network'

const at = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  internal,
  family: 'IPv4',
  netmask: '255.255.255.0',
  mac: '',
  cidr: null,
})
const loopback = at('127.0.0.1', true)

function setUp() {
  const clock = fakeClock()
  let isOnline = true
  let addresses = [loopback, at('192.168.1.7')]
  const network = createNetwork({ clock, online: () => isOnline, interfaces: () => ({ all: addresses }) })
  let back = 0
  const follow = () => network.onBack(() => (back += 1))
  const become = (online: boolean, ...next: NetworkInterfaceInfo[]): void => {
    isOnline = online
    addresses = [loopback, ...next]
    clock.advance(30)
  }
  return { clock, follow, become, back: () => back }
}

it('a network that comes back is reported once', () => {
  const { follow, become, back } = setUp()
  follow()
  become(false)
  expect(back()).toBe(0)
  become(true, at('192.168.1.7'))
  become(true, at('192.168.1.7'))
  expect(back()).toBe(1)
})

it('a new address is reported, a link-local address is not', () => {
  const { follow, become, back } = setUp()
  follow()
  become(true, at('192.168.1.7'), at('fe80::1'))
  expect(back()).toBe(0)
  become(true, at('10.0.0.4'))
  expect(back()).toBe(1)
  become(true)
  become(false, at('10.0.0.4'))
  expect(back()).toBe(1)
})

it('nothing polls the network without listeners', () => {
  const { clock, follow, become, back } = setUp()
  expect(clock.pending()).toBe(0)
  const [stop, stopOther] = [follow(), follow()]
  expect(clock.pending()).toBe(1)
  stop()
  stop()
  expect(clock.pending()).toBe(1)
  stopOther()
  expect(clock.pending()).toBe(0)
  become(true, at('10.0.0.4'))
  // Earlier changes are not reported.
  follow()
  become(true, at('10.0.0.4'))
  expect(back()).toBe(0)
})

it('a system that hides its addresses counts as having a network, and its return is reported', () => {
  const clock = fakeClock()
  let isOnline = true
  const interfaces = (): never => {
    throw new Error('uv_interface_addresses returned Unknown system error 13')
  }
  const network = createNetwork({ clock, online: () => isOnline, interfaces })
  let back = 0
  network.onBack(() => (back += 1))
  clock.advance(30)
  expect(back).toBe(0)
  isOnline = false
  clock.advance(3)
  isOnline = true
  clock.advance(30)
  expect(back).toBe(1)
})
