import { describe, expect, it } from 'vitest'
import { MachineView } from '#shared/bridge/fleet'
import { Machine } from '#shared/service/machine'
import { extraFieldText, machineView } from './machine-view'

const wire = Machine.parse({
  id: 'vm-1',
  name: 'train-llama-01',
  status: 'running',
  login: {
    _id: 'login-1',
    ssh_key: { id: 'key-1', name: 'lab' },
    username: 'ubuntu',
    password: 'hunter2',
    recovery: { password: 'hunter3' },
  },
  fixed_ip: '203.0.113.21',
  started_time: 1_760_000_000,
  flavor: { name: 'h100-8', cpu: 208, ram: 1800, disk: 500, gpu: 'H100', gpu_count: 8, nvlink: true },
  image: { name: 'Ubuntu 24.04' },
  region: { name: 'DALLAS' },
  vnc_password: 'hunter4',
  tags: ['a', 'b'],
  console_url: 'https://console.example?token=hunter5',
  user_data: '#!/bin/sh',
  root_pw: 'hunter6',
  pin_code_secret: 7,
  updated_at: '2026-03-01T10:00:00Z',
  rack: { row: 3, since: '2026-03-01', spare: null },
})

describe('the view of a machine', () => {
  it('contains the fields of the specification', () => {
    expect(machineView(wire)).toMatchObject({
      id: 'vm-1',
      name: 'train-llama-01',
      status: 'running',
      address: '203.0.113.21',
      username: 'ubuntu',
      hasPassword: true,
      keyName: 'lab',
      startedAt: 1_760_000_000,
      flavor: { name: 'h100-8', cpu: 208, ram: 1800, disk: 500, gpu: 'H100', gpuCount: 8 },
      image: 'Ubuntu 24.04',
      region: 'DALLAS',
    })
  })

  it('contains no secret, wherever the service put it', () => {
    expect(JSON.stringify(machineView(wire))).not.toMatch(/hunter/)
  })

  it('contains undescribed fields, and masks all but numbers, booleans and times', () => {
    expect(machineView(wire).more).toEqual([
      { path: 'vnc_password', value: null },
      { path: 'tags', value: null },
      { path: 'console_url', value: null },
      { path: 'user_data', value: null },
      { path: 'root_pw', value: null },
      { path: 'pin_code_secret', value: null },
      { path: 'updated_at', value: '2026-03-01T10:00:00Z' },
      { path: 'rack', value: '{"row":3,"since":"2026-03-01","spare":null}' },
      { path: 'login.recovery', value: null },
      { path: 'flavor.nvlink', value: 'true' },
    ])
    expect(extraFieldText(wire, 'vnc_password')).toBe('hunter4')
    expect(extraFieldText(wire, 'login.recovery')).toBe('{"password":"hunter3"}')
    expect(extraFieldText(wire, 'login.password')).toBeUndefined()
  })

  it('contains null for every fact that a new machine lacks', () => {
    const view = machineView(Machine.parse({ id: 'vm-2', name: 'new', fixed_ip: '', started_time: 0 }))
    expect(MachineView.parse(view)).toEqual({
      id: 'vm-2',
      name: 'new',
      status: null,
      address: null,
      username: null,
      hasPassword: false,
      keyName: null,
      startedAt: null,
      flavor: { name: null, cpu: null, ram: null, disk: null, gpu: null, gpuCount: null },
      image: null,
      region: null,
      more: [],
    })
  })
})
