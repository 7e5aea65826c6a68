import { describe, expect, it } from 'vitest'
import type { EndRule } from '#shared/bridge/end-rule'
import type { MachineView } from '#shared/bridge/fleet'
import { TemplateContent } from '#shared/bridge/template'
import { ruleFixture as rule } from '../firewall/rule.fixture'
import { volumeNamed } from '../volumes/volume.fixture'
import { type MachineFacts, templateOf } from './machine-template'

const machine: MachineView = {
  id: 'm-1',
  name: 'train-1',
  status: 'running',
  address: null,
  username: 'ubuntu',
  hasPassword: true,
  keyName: 'lab',
  startedAt: null,
  flavor: { name: 'h100.8x', cpu: 8, ram: 64, disk: 100, gpu: 'H100', gpuCount: 8 },
  image: 'Ubuntu 24.04',
  region: 'Oslo',
  more: [],
}
const end = (when: EndRule['when']): EndRule => ({
  id: 'e',
  account: 'abcdefghijkl',
  machine: 'm-1',
  name: 'train-1',
  action: 'delete',
  when,
  armedAt: 1_000,
  agent: null,
  notBefore: 0,
  state: { kind: 'armed' },
})
const facts = (changes: Partial<MachineFacts> = {}): MachineFacts => ({
  machine,
  volumes: [],
  rules: [rule()],
  ssh: { user: 'anna', port: null, identityFile: '/home/anna/.ssh/lab' },
  end: undefined,
  initScript: '#!/bin/bash\napt-get update\n',
  ...changes,
})

describe('the template of a machine', () => {
  it('has its order, its init script, its rules and its SSH settings, but no path of this computer', () => {
    const { template, rulesLeftOut } = templateOf(facts())
    expect(TemplateContent.parse(template)).toMatchObject({
      flavor: 'h100.8x',
      image: 'Ubuntu 24.04',
      region: 'Oslo',
      key: 'lab',
      initScript: '#!/bin/bash\napt-get update\n',
      firewall: [{ protocol: 'tcp', port_range_min: 22 }],
      ssh: { user: 'anna', port: null },
    })
    expect(JSON.stringify(template)).not.toContain('/home/')
    expect(rulesLeftOut).toBe(0)
    expect(templateOf(facts({ initScript: null })).template.initScript).toBe('')
  })

  it('has the volume that a machine without an image booted from', () => {
    const boot = volumeNamed('boot', { bootable: true })
    const data = volumeNamed('data')
    const copied = templateOf(facts({ machine: { ...machine, image: null }, volumes: [data, boot] })).template
    expect(copied).toMatchObject({ image: null, volume: 'vol-boot', volumes: [{ id: 'data', name: 'data' }] })
    expect(templateOf(facts({ volumes: [boot] })).template.volume).toBeNull()
  })

  it('counts rules that cannot be added to another machine', () => {
    const { template, rulesLeftOut } = templateOf(
      facts({ rules: [rule(), rule({ protocol: 'any', portMin: null, portMax: null })] }),
    )
    expect(template.firewall).toHaveLength(1)
    expect(rulesLeftOut).toBe(1)
  })

  it('counts an end at a time from its arming, and leaves out an end after a job', () => {
    expect(templateOf(facts({ end: end({ kind: 'at', at: 29_800 }) })).template.end).toEqual({
      action: 'delete',
      when: { kind: 'after', seconds: 28_800 },
    })
    expect(templateOf(facts({ end: end({ kind: 'job', job: 'j', name: 'train' }) })).template.end).toBeNull()
  })
})
