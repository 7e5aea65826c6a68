// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from 'vitest'
import { h, ref } from 'vue'
import { mounted } from '../../../test/gallery/mounted'
import CommandPalette from '../app/shell/CommandPalette.vue'
import { followTyping } from '../platform/typing'
import AppDialog from './AppDialog.vue'

/** Whether each closed dialog was in the document: only then does the platform restore the focus. */
function closings(): readonly boolean[] {
  const seen: boolean[] = []
  const spy = vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (this: HTMLElement) {
    seen.push(this.isConnected)
  })
  onTestFinished(() => spy.mockRestore())
  return seen
}

it('a dialog is closed before its removal, so that it restores the focus', async () => {
  const seen = closings()
  const open = ref(true)
  const window = await mounted(() => open.value && h(AppDialog, { title: 'Rename' }))
  onTestFinished(() => window.unmount())
  open.value = false
  await window.settled()
  expect(seen).toEqual([true])
})

it('the palette restores the focus if no command was run', async () => {
  const seen = closings()
  const open = ref(true)
  const window = await mounted(() => open.value && h(CommandPalette, { onClose: () => (open.value = false) }))
  onTestFinished(() => window.unmount())
  window.find('dialog').dispatchEvent(new Event('cancel', { cancelable: true }))
  await window.settled()
  expect([seen, window.all('dialog')]).toEqual([[true], []])
})

it('a dialog that opens while the user types ignores keys until a pause', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  onTestFinished(followTyping(document))
  const closed = vi.fn()
  const open = ref(false)
  const window = await mounted(() => [
    h('textarea'),
    open.value && h(AppDialog, { title: 'Password', onClose: closed }),
  ])
  onTestFinished(() => window.unmount())
  await window.press(window.find('textarea'), 'c')
  open.value = true
  await window.settled()
  for (const key of ['Tab', 'Enter', 'Escape']) {
    vi.advanceTimersByTime(900)
    expect((await window.press(window.find('dialog'), key)).defaultPrevented, key).toBe(true)
  }
  expect(closed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect((await window.press(window.find('dialog'), 'Tab')).defaultPrevented).toBe(false)
  await window.press(window.find('dialog'), 'Escape')
  expect(closed).toHaveBeenCalledOnce()
})
