// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import type { MachineDraft } from '#shared/bridge/creation'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { emptyDraft } from './draft'
import { useDraft } from './use-draft'

let opened: Mounted
afterEach(() => {
  opened.unmount()
  vi.useRealTimers()
})

const open = async (
  replaced: MachineDraft | null = null,
  write: () => void | Promise<void> = () => undefined,
) => {
  const kept: (string | undefined)[] = []
  const forms: ReturnType<typeof useDraft>[] = []
  const Form = defineComponent(() => {
    forms.push(useDraft(account, 'machine'))
    return () => null
  })
  opened = await mounted(() => h(Form), {
    'creation.draft': () => null,
    'creation.replacedDraft': () => replaced,
    'creation.keepDraft': ({ draft }) => {
      kept.push(draft?.name)
      return write()
    },
  })
  const [form] = forms
  if (!form) expect.fail()
  await form.start(null)
  return { form, kept }
}

it.each(['beforeunload', 'pagehide', 'blur', 'visibilitychange'])(
  'the last input is stored at %s',
  async (leaving) => {
    const { form, kept } = await open()
    form.change({ name: 'typed' })
    await opened.settled()
    const target = leaving === 'visibilitychange' ? document : window
    target.dispatchEvent(new Event(leaving))
    await opened.settled()
    expect(kept).toEqual(['typed'])
    target.dispatchEvent(new Event(leaving))
    await opened.settled()
    expect(kept).toEqual(['typed'])
  },
)

it('a replaced draft can be restored', async () => {
  const { form, kept } = await open({ ...emptyDraft(), name: 'earlier' })
  expect(form.replaced.value?.name).toBe('earlier')
  form.restore()
  await opened.settled()
  expect([form.draft.value.name, kept]).toEqual(['earlier', ['earlier']])
})

it('the draft counts as saved after the last input is stored', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const written: (() => void)[] = []
  const { form } = await open(null, () => new Promise<void>((resolve) => written.push(resolve)))
  form.change({ name: 'train' })
  await opened.settled()
  vi.advanceTimersByTime(200)
  expect(form.saved.value).toBe(false)
  form.change({ name: 'train-2' })
  written[0]?.()
  await opened.settled()
  expect(form.saved.value).toBe(false)
  vi.advanceTimersByTime(200)
  written[1]?.()
  await opened.settled()
  expect(form.saved.value).toBe(true)
})
