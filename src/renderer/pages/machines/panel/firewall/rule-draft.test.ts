import { describe, expect, it } from 'vitest'
import { emptyRule, presetRule, presets, type RuleDraft, ruleOf } from './rule-draft'

const good: RuleDraft = { ...emptyRule, prefix: '10.0.0.0/8', portMin: '80', portMax: '90' }
const wrongOf = (changes: Partial<RuleDraft>) => Object.fromEntries(ruleOf({ ...good, ...changes }).wrong)

describe('a typed firewall rule', () => {
  it("becomes the request's body", () => {
    expect(ruleOf(good).rule).toEqual({
      direction: 'inbound',
      protocol: 'tcp',
      ethertype: 'IPv4',
      remote_ip_prefix: '10.0.0.0/8',
      port_range_min: 80,
      port_range_max: 90,
    })
    expect(ruleOf({ ...good, ethertype: 'IPv6', prefix: '2001:db8::/32' }).wrong.size).toBe(0)
  })

  it.each(['10.0.0.1', '10.0.0.0/33', '2001:db8::/32', 'anyone'])('rejects %s as an IPv4 range', (prefix) => {
    const words = 'Enter a range of IPv4 addresses, such as 203.0.113.7/32.'
    expect(wrongOf({ prefix })).toEqual({ remote_ip_prefix: words })
  })

  it.each(['0', '65536', '1.5', '-1', 'http', ''])('rejects %j as a port', (portMin) => {
    expect(wrongOf({ portMin }).port_range_min).toBe('Enter a port from 1 to 65,535.')
  })

  it('rejects a last port below the first', () => {
    expect(wrongOf({ portMax: '79' })).toEqual({
      port_range_max: 'The last port can’t be lower than the first.',
    })
    expect(wrongOf({ portMax: '80' })).toEqual({})
  })

  it('reports an invalid range even if a port is missing', () => {
    expect(Object.keys(wrongOf({ prefix: 'x', portMin: '' })).sort()).toEqual([
      'port_range_min',
      'remote_ip_prefix',
    ])
  })

  it.each(presets.filter((preset) => preset !== 'range'))('is valid with the preset %s', (preset) => {
    expect(ruleOf(presetRule(preset, '203.0.113.9')).rule).not.toBeNull()
    expect(ruleOf(presetRule(preset, '2001:db8::9')).rule).not.toBeNull()
  })

  it("requires a range if the user's address is unknown", () => {
    for (const preset of ['ssh', 'jupyter'] as const) expect(presetRule(preset, '').prefix).toBe('')
  })
})
