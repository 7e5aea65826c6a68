// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { useToasts } from '../stores/toasts'
import ToastArea from './ToastArea.vue'

let window: Mounted
afterEach(() => window.unmount())

describe('toasts', () => {
  const isThere = ref(false)

  it('wait until the toast area exists and appear once each', async () => {
    isThere.value = false
    window = await mounted(() => (isThere.value ? h(ToastArea) : h('p')), {}, { toasts: false })
    const toasts = useToasts()
    toasts.show({ kind: 'success', content: 'Saved' })
    toasts.show({ kind: 'error', content: 'Failed' })
    await window.settled()
    expect(window.text()).toBe('')
    isThere.value = true
    await window.settled()
    expect(window.all('.n-message').map((one) => one.textContent.trim())).toEqual(['Saved', 'Failed'])
    toasts.show({ kind: 'warning', content: 'Gone' })
    await window.settled()
    expect(window.text().match(/Failed/g)).toHaveLength(1)
    expect(toasts.waiting).toEqual([])
  })
})
