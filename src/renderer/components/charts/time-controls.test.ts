// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { useTimeControls } from './time-controls'
import type { TimeRange } from './time-line'

it('a zoom removes the cursor', () => {
  const cursor = shallowRef<number | null>(null)
  const zooms: (TimeRange | null)[] = []
  const controls = useTimeControls({
    range: () => ({ from: 0, to: 100 }),
    plot: () => ({ left: 0, width: 100 }),
    cursor,
    zoom: (range) => zooms.push(range),
  })
  const chart = document.createElement('div')
  chart.setPointerCapture = () => undefined
  chart.addEventListener('pointerdown', controls.down)
  chart.addEventListener('pointermove', controls.move)
  chart.addEventListener('pointerleave', controls.leave)
  for (const [type, clientX] of [
    ['pointerdown', 20],
    ['pointermove', 60],
    ['pointerleave', 60],
  ] as const)
    chart.dispatchEvent(new PointerEvent(type, { clientX, button: 0 }))
  expect(cursor.value).toBe(60)
  controls.up()
  expect(zooms).toEqual([{ from: 20, to: 60 }])
  expect(cursor.value).toBeNull()
})
