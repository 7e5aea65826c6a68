import { expect, it } from 'vitest'
import { machineState } from './machine-state'
import { volumeState } from './volume-state'

it.each([
  ['Running', 'running', 'other'],
  ['IN-USE', 'other', 'running'],
  ['reticulating', 'other', 'other'],
  ['', 'other', 'other'],
  [null, 'other', 'other'],
  // Names that every JavaScript object has.
  ['constructor', 'other', 'other'],
  ['__proto__', 'other', 'other'],
  ['toString', 'other', 'other'],
])('the status %j of a machine is read as %s, of a volume as %s', (status, machine, volume) => {
  expect(machineState(status)).toBe(machine)
  expect(volumeState(status)).toBe(volume)
})
