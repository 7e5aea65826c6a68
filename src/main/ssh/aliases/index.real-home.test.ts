import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { account, machine } from '../../../../test/fixtures/ssh-harness'
import { sshAliasesHarness } from '../../../../test/fixtures/ssh-aliases-harness'
import { addSystemAccount } from '../../../../test/fixtures/system-account'
import { describeWith } from '../../../../test/fixtures/system-requirements'

const { aliasesOf, home, inSsh, path, put, read } = sshAliasesHarness()
const aliases = () => aliasesOf(new Map([[account, [machine({ name: 'train-01' })]]]), { env: process.env })

/** Of an account with this home, for which ssh finds its configuration as for anybody: by the system's list of users. */
function accountAtHome() {
  const user = addSystemAccount('unused', home())
  const [uid = 0, gid = 0] = ['-u', '-g'].map((which) => Number(spawnSync('id', [which, user]).stdout))
  return {
    owns: (name: string) => chownSync(inSsh(name), uid, gid),
    gid,
    ssh(...args: readonly string[]): string {
      const { stdout, stderr } = spawnSync('ssh', args, {
        uid,
        gid,
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      })
      return stdout + stderr
    },
  }
}

describeWith(['ssh', 'accounts'], 'OpenSSH in the home folder of an account', () => {
  // Other users of the computer get through to the home folder, and no further than that.
  beforeEach(() => {
    const temporary = tmpdir()
    const mode = statSync(temporary).mode & 0o7777
    chmodSync(temporary, mode | 0o011)
    onTestFinished(() => chmodSync(temporary, mode))
    for (const folder of [path(), home(), inSsh('')]) chmodSync(folder, 0o755)
  })

  it.each(['', 'Host own\n  User anna\n\nHost *\n  User nobody\n'])(
    'reads the aliases and the user’s own hosts with the line in front of %j',
    async (text) => {
      put(text)
      const person = accountAtHome()
      chmodSync(inSsh('config'), 0o644)
      const before = person.ssh('-G', 'own')
      await aliases().enable(true)
      for (const name of ['config', 'wheelhouse.conf']) person.owns(name)
      expect(read('config')).toBe(`Include wheelhouse.conf\n${text}`)
      const resolved = person.ssh('-G', 'train-01')
      expect(resolved).toContain('hostname 10.0.0.5\n')
      expect(resolved).toContain('user ubuntu\n')
      expect(resolved).toContain(`hostkeyalias m1.${account}.wheelhouse\n`)
      expect(person.ssh('-G', 'own')).toBe(before)
    },
  )

  const modes = [
    ['600', 'root'],
    ['644', 'root'],
    // Debian's ssh accepts a group with one member; other builds accept no group.
    ['664', 'root'],
    ['664', 'the account'],
    ['646', 'root'],
    ['666', 'root'],
  ] as const

  it.each(modes)('mode %s with the group of %s is refused as by ssh, for both files', async (mode, group) => {
    put('Host own\n  User anna\n')
    const person = accountAtHome()
    // The owner that ssh takes from everybody.
    chownSync(inSsh('config'), 0, group === 'root' ? 0 : person.gid)
    chmodSync(inSsh('config'), Number.parseInt(mode, 8))
    const including = path('including')
    writeFileSync(including, `Include "${inSsh('config')}"\n`)
    const included = ['-F', including, '-G', 'own'] as const
    const isRefused = (answer: string): boolean => answer.includes('Bad owner or permissions')
    expect(isRefused(person.ssh(...included))).toBe(isRefused(person.ssh('-G', 'own')))

    const refuses = isRefused(spawnSync('ssh', included, { encoding: 'utf8' }).stderr)
    const { enable, view } = aliases()
    const failure = await enable(true).then(
      () => null,
      (error: unknown) => error,
    )
    const reason = expect.stringContaining(`Run “chmod go-w '${inSsh('config')}'” in a terminal`)
    if (refuses) expect(failure).toMatchObject({ failure: { kind: 'local-fault', reason } })
    else expect(failure).toBeNull()
    expect(await view()).toMatchObject({ enabled: !refuses, included: !refuses })
    if (refuses) expect(readdirSync(inSsh(''))).toEqual(['config'])
  })

  it('refuses a configuration of another user, as the application does', async () => {
    put('Host own\n')
    accountAtHome().owns('config')
    const reason = expect.stringContaining(`Run “sudo chown "$USER" '${inSsh('config')}'” in a terminal`)
    await expect(aliases().enable(true)).rejects.toMatchObject({ failure: { kind: 'local-fault', reason } })
    expect(read('config')).toBe('Host own\n')
  })
})

describeWith(['ssh'], 'a configuration that others may write to', () => {
  it('is detected later too, and accepted after a repair', async () => {
    put('')
    const { enable, view, aliases: module } = aliases()
    await enable(true)
    chmodSync(inSsh('config'), 0o666)
    const reason = expect.stringContaining('other users could change it')
    expect(await view()).toMatchObject({ enabled: true, included: false, failure: { reason } })
    expect(await module.aliasOf(account, 'm1')).toBeNull()
    chmodSync(inSsh('config'), 0o600)
    expect(await view()).toMatchObject({ included: true, failure: null })
    chmodSync(inSsh('wheelhouse.conf'), 0o602)
    expect(await view()).toMatchObject({ included: false, failure: { reason } })
    expect(await enable(false)).toMatchObject({ enabled: false, failure: null })
  })

  it('is checked without running a command of the user', async () => {
    put(`Match exec "touch '${path('ran')}'"\n  User anna\n`)
    chmodSync(inSsh('config'), 0o660)
    await aliases()
      .enable(true)
      .catch(() => undefined)
    expect(existsSync(path('ran'))).toBe(false)
  })
})
