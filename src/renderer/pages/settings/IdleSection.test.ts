// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import type { IdleSettings } from '#shared/bridge/idle'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import IdleSection from './IdleSection.vue'

let window: Mounted
let kept: IdleSettings
afterEach(() => window.unmount())

const shown = ref(true)
const open = async () => {
  kept = { threshold: 5, minutes: 60 }
  shown.value = true
  window = await mounted(() => (shown.value ? h(IdleSection) : null), {
    'idle.settings': () => kept,
    'idle.configure': (next) => (kept = next),
  })
}
const threshold = () => window.field(t('idle.settings.threshold'))
const minutes = () => window.field(t('idle.settings.minutes'))

it('an invalid field stays a draft, and a valid field is saved with undo', async () => {
  await open()
  await window.type(minutes(), '0')
  await window.leave(minutes())
  await window.type(threshold(), '9')
  await window.leave(threshold())
  expect(kept).toEqual({ threshold: 9, minutes: 60 })
  shown.value = false
  await window.settled()
  shown.value = true
  await window.settled()
  expect([threshold().value, minutes().value]).toEqual(['9', '0'])
  expect(window.text()).toContain(t('idle.settings.range', { from: 1, to: 10_080 }))
  await window.click(t('common.actions.undo'))
  await window.settled()
  expect(kept).toEqual({ threshold: 5, minutes: 60 })
  expect([threshold().value, minutes().value]).toEqual(['5', '0'])
})

it('a draft of one field does not overwrite another saved field', async () => {
  await open()
  await window.type(minutes(), 'x')
  await window.leave(minutes())
  shown.value = false
  await window.settled()
  kept = { threshold: 20, minutes: 60 }
  shown.value = true
  await window.settled()
  expect([threshold().value, minutes().value]).toEqual(['20', 'x'])
  await window.type(minutes(), '30')
  await window.submit()
  await window.settled()
  expect(kept).toEqual({ threshold: 20, minutes: 30 })
})
