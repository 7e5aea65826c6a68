import { expect, it } from 'vitest'
import { ruleFixture as rule } from './rule.fixture'
import { directionText, narrowsSsh, openSshText, opensSsh, trafficText } from './rule-text'

it.each([
  [{}, 'TCP 22'],
  [{ portMax: 25 }, 'TCP 22–25'],
  [{ protocol: 'any', portMin: 1, portMax: 65_535 }, 'Any protocol, all ports'],
  [{ protocol: 'icmp', portMin: 1, portMax: 65_535 }, 'ICMP'],
  [{ protocol: 'sctp', portMin: null }, 'sctp'],
])('the traffic of %j is described as %s', (changes, words) => expect(trafficText(rule(changes))).toBe(words))

it('an unknown direction is shown as reported', () => {
  expect(directionText(rule())).toBe('Inbound')
  expect(directionText(rule({ direction: 'sideways' }))).toBe('sideways')
})

it.each([
  {},
  { prefix: '::/0' },
  { protocol: 'any', portMin: 1, portMax: 65_535 },
  { portMin: null, portMax: null },
])('the rule %j opens SSH to the world', (changes) => expect(opensSsh(rule(changes))).toBe(true))

it.each([
  { direction: 'outbound' },
  { protocol: 'udp' },
  { prefix: '10.0.0.0/8' },
  { portMin: 23, portMax: 80 },
])('the rule %j does not open SSH to the world', (changes) => expect(opensSsh(rule(changes))).toBe(false))

it('the warning names the rule that opens SSH, regardless of other rules', () => {
  const own = rule({ prefix: '93.184.215.14/32' })
  expect(openSshText([own])).toBeNull()
  expect(openSshText([own, rule()])).toContain('TCP 22 from 0.0.0.0/0')
  expect([own, rule(), rule({ portMin: 80, portMax: 80 })].map(narrowsSsh)).toEqual([true, false, false])
})
