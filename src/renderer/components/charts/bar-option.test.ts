// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { h } from 'vue'
import { mounted } from '../../../../test/gallery/mounted'
import { barOption } from './bar-option'
import BarChart from './BarChart.vue'
import { useChartTheme } from './chart-theme'

it('a mark is named in the legend and not over the bars', async () => {
  const data = {
    categories: ['1', '2'],
    series: [{ name: 'Charged', values: [1, 2] }],
    whole: false,
    marks: [{ name: 'Daily budget', value: 1.5 }],
  }
  let option: unknown
  const window = await mounted(() => {
    const theme = useChartTheme()
    option = barOption(data, theme.value, { left: 0, right: 0, top: 0, bottom: 0 }, String).series
    const words = { label: 'Per day', categoryName: 'Day', empty: '' }
    return h(BarChart, { ...data, ...words, format: String })
  })
  expect(option).toMatchObject([{ markLine: { data: [{ label: { show: false } }] } }])
  expect(window.text()).toContain('Daily budget')
  window.unmount()
})
