// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import SelectRow from '../SelectRow.vue'
import TextField from '../TextField.vue'
import EditableRow from './EditableRow.vue'
import MoreFields from './MoreFields.vue'
import SecretRow from './SecretRow.vue'

let window: Mounted
afterEach(() => window.unmount())

/** Returns the description of an element for screen readers. */
const described = (element: HTMLElement) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent

describe('TextField', () => {
  const show = async (others: object) => {
    const { seen, on } = emissions('update:modelValue')
    window = await mounted(() => h(TextField, { label: 'Name', modelValue: 'anna', ...others, ...on }))
    return { seen, input: window.find('input') }
  }

  it('is labelled, and shows its error in place of its hint', async () => {
    const { input } = await show({ hint: 'As it is listed.', error: 'It is taken.' })
    expect(document.querySelector(`label[for="${input.id}"]`)?.textContent).toBe('Name')
    expect([described(input), input.getAttribute('aria-invalid')]).toEqual(['It is taken.', 'true'])
    expect(window.text()).not.toContain('As it is listed.')
  })

  it('hides a secret until the user reveals it', async () => {
    const { input } = await show({ secret: { show: 'Show it', hide: 'Hide it' } })
    expect(input.getAttribute('type')).toBe('password')
    await window.click('Show it')
    expect(window.find('input').getAttribute('type')).toBe('text')
    await window.click('Hide it')
    expect(window.find('input').getAttribute('type')).toBe('password')
  })

  it('emits the typed text', async () => {
    const { seen, input } = await show({})
    await window.type(input, texts.control.replace(/\p{Cc}/gu, ''))
    expect(seen).toHaveLength(1)
  })
})

describe('SelectRow', () => {
  it('shows its error', async () => {
    window = await mounted(() =>
      h(SelectRow, { label: 'Region', value: '', error: 'Choose a region.', hint: 'Near you.' }),
    )
    expect(described(window.find('[role=group]'))).toBe('Choose a region.')
    expect(window.find('select').getAttribute('aria-label')).toBe('Region')
  })
})

describe('EditableRow', () => {
  async function edit(save: (text: string | null) => Promise<void>) {
    window = await mounted(() =>
      h('dl', [
        h(EditableRow, {
          label: 'User',
          value: 'ubuntu',
          missing: 'Unknown',
          set: true,
          check: (text: string) => (text === '' ? 'Something is needed.' : null),
          save,
        }),
      ]),
    )
    await window.click(t('ssh.edit', { what: 'User' }))
    return window.find('input')
  }

  it('starts with the value, saves with Enter and restores the focus', async () => {
    const saved: (string | null)[] = []
    const input = await edit(async (text) => void saved.push(text))
    expect(input).toHaveProperty('value', 'ubuntu')
    await window.type(input, ' root ')
    await window.press(input, 'Enter')
    expect(saved).toEqual(['root'])
    expect(document.activeElement?.getAttribute('aria-label')).toBe(t('ssh.edit', { what: 'User' }))
  })

  it('cancels with Escape, which closes nothing else', async () => {
    const saved: (string | null)[] = []
    const input = await edit(async (text) => void saved.push(text))
    let outside = 0
    document.body.addEventListener('keydown', () => (outside += 1), { once: true })
    await window.press(input, 'Escape')
    expect([saved, window.all('input'), outside]).toEqual([[], [], 0])
  })

  it('shows an error and stays open', async () => {
    const input = await edit(() => Promise.reject(new FailureError({ kind: 'disk-full' })))
    await window.type(input, '')
    await window.press(input, 'Enter')
    expect([described(input), input.getAttribute('aria-invalid')]).toEqual(['Something is needed.', 'true'])
    await window.type(input, 'root')
    await window.press(input, 'Enter')
    expect(described(window.find('input'))).toContain(t('failures.disk-full.text'))
  })

  it("resets the user's value", async () => {
    const saved: (string | null)[] = []
    const input = await edit(async (text) => void saved.push(text))
    await window.press(input, 'Escape')
    await window.click(t('ssh.reset', { what: 'User' }))
    expect(saved).toEqual([null])
  })
})

describe('SecretRow', () => {
  const secret = { kind: 'machine-password', machine: 'm-train' } as const

  it('loads the secret when the user reveals it, and hides it again', async () => {
    window = await mounted(() => h('dl', [h(SecretRow, { label: 'Password', account, secret })]), {
      'secret.reveal': () => 'correct horse',
    })
    const asked = () => window.main.calls.filter(([name]) => name === 'secret.reveal')
    expect([asked(), window.text().includes('correct horse')]).toEqual([[], false])
    await window.click(t('ssh.revealNamed', { what: 'Password' }))
    expect(window.text()).toContain('correct horse')
    await window.click(t('ssh.hideNamed', { what: 'Password' }))
    expect(window.text()).not.toContain('correct horse')
    expect(asked()).toEqual([['secret.reveal', { account, secret }]])
  })

  it.each([
    [true, t('common.copiedSecret.concealed', { what: 'Password', seconds: 30 })],
    [false, 'The clipboard clears in 30 s, but a clipboard history may keep it.'],
  ])(
    'copies the secret without loading it; concealed from clipboard histories: %s',
    async (isConcealed, words) => {
      window = await mounted(() => h('dl', [h(SecretRow, { label: 'Password', account, secret })]), {
        'secret.copy': () => ({ clearsAfter: 30, isConcealed }),
      })
      await window.click(t('common.actions.copyNamed', { what: 'Password' }))
      expect(window.main.calls.map(([name]) => name).filter((name) => name.startsWith('secret.'))).toEqual([
        'secret.copy',
      ])
      expect(window.text()).toContain(words)
      expect(window.text().includes('history may keep it')).toBe(!isConcealed)
    },
  )
})

describe('MoreFields', () => {
  it('shows undescribed fields as text and secrets without their value', async () => {
    window = await mounted(() =>
      h(MoreFields, {
        account,
        fields: [
          { path: 'note', value: texts.html },
          { path: 'console.token', value: null },
          { path: 'dump', value: texts.huge },
        ],
      }),
    )
    expect(window.text()).toContain(texts.html)
    expect(window.all('dl img, dl script')).toEqual([])
    expect(window.text()).toContain(t('machines.moreSecret'))
    expect(window.text().length).toBeLessThan(5_000)
  })

  it('is hidden without fields', async () => {
    window = await mounted(() => h(MoreFields, { account, fields: [] }))
    expect(window.all('details')).toEqual([])
  })
})
