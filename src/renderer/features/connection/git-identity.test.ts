// @vitest-environment happy-dom
import { describe, expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { mounted } from '../../../../test/gallery/mounted'
import { connection } from '../../../../test/gallery/ssh-views'
import { account } from '../../../../test/gallery/world'
import SshDefaultsSection from '../../pages/settings/SshDefaultsSection.vue'
import { t } from '../../platform/i18n'
import GitIdentityRows from './GitIdentityRows.vue'

const ada = { gitName: 'Ada O’Hara 愛', gitEmail: 'ada@example.com' }
const own = { name: ada.gitName, email: ada.gitEmail }
const one = { account, machine: 'm-train' }

describe('the Git identity of a machine', () => {
  async function open(changes: Parameters<typeof connection>[0], handlers: Partial<Handlers> = {}) {
    const window = await mounted(() => h(GitIdentityRows, { account, connection: connection(changes) }), {
      'ssh.configure': () => connection(),
      ...handlers,
    })
    onTestFinished(() => window.unmount())
    const configured = () =>
      window.main.calls.filter(([name]) => name === 'ssh.configure').map(([, input]) => input)
    return { window, configured }
  }

  it('says what it is for, and once there is one what is sent and what the machine’s server needs', async () => {
    expect((await open({})).window.text()).toContain(t('ssh.git.about'))
    const { window } = await open(ada)
    expect(window.text()).toContain('GIT_COMMITTER_*')
    expect(window.text()).toContain('AcceptEnv GIT_*')
    expect(window.text()).toContain(ada.gitName)
  })

  it('is taken from git on this computer, as far as that has one', async () => {
    const { window, configured } = await open({}, { 'ssh.ownGitIdentity': () => ({ ...own, email: null }) })
    await window.click(t('ssh.git.own'))
    expect(configured()).toEqual([{ ...one, gitName: ada.gitName }])
  })

  it('stays as it is where git here has none, and says so', async () => {
    const { window, configured } = await open(
      {},
      { 'ssh.ownGitIdentity': () => ({ name: null, email: null }) },
    )
    await window.click(t('ssh.git.own'))
    expect(configured()).toEqual([])
    expect(document.body.textContent).toContain(t('ssh.git.none'))
  })

  it('is typed in place, and shows why main refuses it', async () => {
    const { window, configured } = await open(ada, {
      'ssh.configure': () => {
        throw new FailureError({ kind: 'invalid-input', field: 'gitName', reason: 'malformed' })
      },
    })
    await window.click(t('ssh.edit', { what: t('ssh.git.name') }))
    await window.type(window.find('input'), 'Ada "the"')
    await window.press(window.find('input'), 'Enter')
    expect(configured()).toEqual([{ ...one, gitName: 'Ada "the"' }])
    expect(window.find('[role=alert]').textContent).toContain(t('failures.formats.gitName'))
  })
})

describe('the Git identity of an account', () => {
  it('is filled in from git on this computer, and saved with the rest', async () => {
    const saved = { user: 'ubuntu', port: null, identityFile: null }
    const window = await mounted(() => h(SshDefaultsSection), {
      'ssh.defaults': () => saved,
      'ssh.ownGitIdentity': () => own,
      'ssh.configureAccount': () => ({ ...saved, ...ada }),
    })
    onTestFinished(() => window.unmount())
    const calls = () => window.main.calls.filter(([name]) => name === 'ssh.configureAccount')
    await window.click(t('ssh.git.own'))
    expect(calls()).toEqual([])
    await window.submit()
    expect(calls()).toEqual([['ssh.configureAccount', { account, ...ada }]])
    const shown = window.all('input').map((input) => (input instanceof HTMLInputElement ? input.value : ''))
    expect(shown).toEqual(expect.arrayContaining([ada.gitName, ada.gitEmail]))
  })
})
