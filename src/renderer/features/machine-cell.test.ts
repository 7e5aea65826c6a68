import { expect, it } from 'vitest'
import { machineNamed } from '../pages/machines/machine.fixture'
import { t } from '../platform/i18n'
import { machineCell } from './machine-cell'

const machine = machineNamed('train-01')
const none = t('common.none')

it('the uptime is shown for running machines only', () => {
  expect(machineCell(machine, 'uptime', 1_000 + 7_200, 1_000)?.text).toBe('2 h')
  expect(machineCell(machine, 'uptime', 1_000 + 7_200, null)?.text).toBe(none)
})

it('missing values are shown as missing', () => {
  const unknown = {
    ...machine,
    region: null,
    address: null,
    startedAt: null,
    flavor: { ...machine.flavor, name: null, gpu: null, gpuCount: null },
  }
  for (const column of ['flavor', 'gpu', 'region', 'address', 'uptime'])
    expect(machineCell(unknown, column, 0, null)?.text).toBe(none)
})

it('invisible characters are replaced and long texts are cut', () => {
  const hostile = { ...machine, region: `\u202E${'x'.repeat(100_000)}` }
  const { text, title } = machineCell(hostile, 'region', 0, null) ?? { text: '' }
  expect(text).toMatch(/^\uFFFDx+…$/)
  expect([text.length, title?.length]).toEqual([200, 1_000])
})

it('columns with components have no text', () => {
  for (const column of ['name', 'state', 'load', 'perHour', 'soFar'])
    expect(machineCell(machine, column, 0, null)).toBeUndefined()
})
