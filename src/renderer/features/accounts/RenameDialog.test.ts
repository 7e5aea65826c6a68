// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { accountView } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import RenameDialog from './RenameDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const wrongFields = () =>
  window.all('[aria-invalid=true]').map((input) => window.find(`label[for="${input.id}"]`).textContent)

it.each([
  ['  ', 'failures.invalid.required'],
  ['x'.repeat(61), 'failures.invalid.too-long'],
] as const)('shows at the field why %j is invalid', async (typed, words) => {
  window = await mounted(() => h(RenameDialog, { account: accountView() }))
  await window.type(window.find('input'), typed)
  await window.submit()
  expect(wrongFields()).toEqual([t('accounts.rename.label')])
  expect(window.text()).toContain(t(words))
  expect(calls('accounts.rename')).toEqual([])
})

it('stays open with the reason if the name cannot be saved', async () => {
  const { seen, on } = emissions('close')
  window = await mounted(() => h(RenameDialog, { account: accountView(), ...on }), {
    'accounts.rename': () => {
      throw new FailureError({ kind: 'disk-full' })
    },
  })
  await window.submit()
  expect(window.find('[role=alert]').textContent).toContain(t('failures.disk-full.title'))
  expect(seen).toEqual([])
})
