// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { t } from '../../platform/i18n'
import TagsField from './TagsField.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = async (tags: readonly string[]) => {
  const { seen, on } = emissions('change')
  window = await mounted(() => h(TagsField, { tags, ...on }))
  return { seen, input: window.find('input') }
}

it('Enter and comma add a tag without surrounding spaces', async () => {
  const { seen, input } = await open(['llama'])
  await window.type(input, '  nightly ')
  await window.press(input, 'Enter')
  await window.type(input, texts.rtl)
  await window.press(input, ',')
  expect(seen).toEqual([
    ['change', ['llama', 'nightly']],
    ['change', ['llama', texts.rtl]],
  ])
})

it('a tag is not added twice, whatever its case', async () => {
  const { seen, input } = await open(['Llama'])
  await window.type(input, 'llama')
  await window.press(input, 'Enter')
  expect([seen, input]).toEqual([[], expect.objectContaining({ value: '' })])
})

it('Backspace in the empty field removes the last tag, and buttons remove any tag', async () => {
  const { seen, input } = await open(['one', texts.html])
  await window.type(input, 'x')
  await window.press(input, 'Backspace')
  expect(seen).toEqual([])
  await window.type(input, '')
  await window.press(input, 'Backspace')
  await window.click(t('notes.tags.remove', { tag: 'one' }))
  expect(seen).toEqual([
    ['change', ['one']],
    ['change', [texts.html]],
  ])
})

it('the field shows why a tag cannot be added', async () => {
  const { seen, input } = await open(Array.from({ length: 20 }, (_, at) => String(at)))
  await window.type(input, 'one more')
  await window.press(input, 'Enter')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  const note = document.getElementById(input.getAttribute('aria-describedby') ?? '')
  expect(note?.textContent).toBe(t('notes.tags.tooMany'))
  expect(seen).toEqual([])
})
