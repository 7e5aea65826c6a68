import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeCertificate } from '../../../test/fixtures/certificates'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { openKeychain } from '../store/keychain'
import { openSettings } from '../store/settings'
import { createNetworkAccess } from './index'

const proxy = 'proxy.example.com:8080'
const given = { username: 'anna', password: 'secret-word' }
const challenge = (tried: typeof given | null = null) => ({ proxy, realm: 'Acme', tried })

const setUp = (env: NodeJS.ProcessEnv = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'network-'))
  const secrets = memorySecrets()
  const picked: { path: string | null } = { path: null }
  const begin = () => {
    const settings = openSettings(folder)
    const access = createNetworkAccess({
      settings,
      keychain: openKeychain({ load: () => Promise.resolve(secrets) }),
      platform: 'darwin',
      env,
      clock: { now: () => Date.now() / 1000 },
      chooseAuthorities: () => Promise.resolve(picked.path),
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
    onTestFinished(async () => {
      access.close()
      await settings.close()
    })
    return access
  }
  return { folder, secrets, begin, pick: (path: string) => (picked.path = path) }
}
const read = (access: ReturnType<typeof createNetworkAccess>) => access.view()

describe('the proxy', () => {
  it('is the system’s by default, the environment’s if it names one, or the configured one', async () => {
    const { folder, begin } = setUp()
    const access = begin()
    const useProxy = access.handlers['networkAccess.useProxy']
    const routes = vi.fn<() => void>()
    access.onRouteChange(routes)
    expect(await access.config()).toEqual({ mode: 'system' })
    await useProxy({ proxy: { kind: 'manual', address: proxy } })
    expect(await access.config()).toMatchObject({ mode: 'fixed_servers', proxyRules: `http://${proxy}` })
    await useProxy({ proxy: { kind: 'none' } })
    expect(await access.config()).toEqual({ mode: 'direct' })
    await useProxy({ proxy: { kind: 'pac', address: 'http://wpad/proxy.pac' } })
    expect(await access.config()).toEqual({ mode: 'pac_script', pacScript: 'http://wpad/proxy.pac' })
    writeFileSync(join(folder, 'a b.pac'), 'function FindProxyForURL() {}')
    await useProxy({ proxy: { kind: 'pac', address: join(folder, 'a b.pac') } })
    expect(await begin().config()).toMatchObject({ pacScript: expect.stringMatching(/^data:.*FindProxy/) })
    expect(routes).toHaveBeenCalledTimes(4)

    const named = setUp({ HTTPS_PROXY: proxy }).begin()
    expect(await named.config()).toMatchObject({ mode: 'fixed_servers' })
    expect(read(named)).toMatchObject({ environment: proxy, proxy: { kind: 'system' } })
  })

  it.each([
    [{ kind: 'manual', address: 'ftp://x' }, 'proxy'],
    [{ kind: 'manual', address: 'http://anna:secret-word@proxy:1' }, 'proxy'],
    [{ kind: 'manual', address: 'http://:secret-word@proxy:1' }, 'proxy'],
    [{ kind: 'pac', address: '/no/such/file.pac' }, 'pac'],
    [{ kind: 'pac', address: '/dev/null' }, 'pac'],
    [{ kind: 'pac', address: 'http://anna:secret-word@wpad/proxy.pac' }, 'pac'],
  ] as const)('is refused if it is invalid, and the previous one stays: %j', async (wrong, field) => {
    const { folder, begin } = setUp()
    const access = begin()
    await expect(access.handlers['networkAccess.useProxy']({ proxy: wrong })).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field },
    })
    expect(read(access).proxy).toEqual({ kind: 'system' })
    expect(() => readFileSync(join(folder, 'settings.json'))).toThrow('ENOENT')
  })
})

describe('the sign-in to a proxy', () => {
  it('is asked once for all requests, stored in the keychain, and used after a restart', async () => {
    const { secrets, begin } = setUp()
    const access = begin()
    const asked = [access.credentials(challenge()), access.credentials(challenge())]
    await expect.poll(() => read(access).question).toEqual({ proxy, realm: 'Acme', refused: false })
    await access.handlers['networkAccess.signIn']({ proxy, ...given, remember: true })
    expect(await Promise.all(asked)).toEqual([given, given])
    expect(read(access)).toMatchObject({ question: null, signIns: [{ proxy, username: 'anna' }] })
    expect(JSON.stringify(read(access))).not.toContain(given.password)
    expect([...secrets.entries.keys()]).toEqual([`proxy/${proxy}`])

    const restarted = begin()
    expect(await restarted.credentials(challenge())).toEqual(given)
    await restarted.handlers['networkAccess.signOut']({ proxy })
    expect([...secrets.entries.keys()]).toEqual([])
    expect(read(restarted).signIns).toEqual([])
  })

  it('is asked again if the proxy refuses it, unless another request has a newer one', async () => {
    const { begin, secrets } = setUp()
    const access = begin()
    const { 'networkAccess.signIn': signIn } = access.handlers
    await signIn({ proxy, ...given, password: 'old', remember: true })
    const old = await access.credentials(challenge())
    const again = access.credentials(challenge(old))
    await expect.poll(() => read(access).question).toMatchObject({ refused: true })
    await signIn({ proxy, ...given, remember: false })
    expect(await again).toEqual(given)
    expect(await access.credentials(challenge(old))).toEqual(given)
    expect(secrets.entries.size).toBe(0)
  })

  it('is not asked again after it was declined, until the user wants it', async () => {
    const access = setUp().begin()
    const asked = access.credentials(challenge())
    await expect.poll(() => read(access).question).not.toBeNull()
    await access.handlers['networkAccess.decline']({ proxy })
    expect(await asked).toBeNull()
    expect(await access.credentials(challenge())).toBeNull()
    expect(read(access)).toMatchObject({ question: null, signIns: [{ proxy, username: null }] })
    await access.handlers['networkAccess.ask']({ proxy })
    expect(read(access).question).toMatchObject({ proxy })
  })

  it.each(['environment', 'keychain'])(
    'from the %s is not sent again once it was refused',
    async (source) => {
      const env = source === 'environment' ? { HTTPS_PROXY: `http://anna:secret-word@${proxy}` } : {}
      const { begin } = setUp(env)
      if (source === 'keychain')
        await begin().handlers['networkAccess.signIn']({ proxy, ...given, remember: true })
      const access = begin()
      const [wrong, same] = await Promise.all([
        access.credentials(challenge()),
        access.credentials(challenge()),
      ])
      expect(wrong).toEqual(given)
      expect(same).toBe(wrong)
      const asked = [access.credentials(challenge(wrong)), access.credentials(challenge())]
      await expect.poll(() => read(access).question).toMatchObject({ refused: true })
      await access.handlers['networkAccess.decline']({ proxy })
      expect(await Promise.all(asked)).toEqual([null, null])
      // Directories lock an account after a few wrong passwords.
      expect(await access.credentials(challenge())).toBeNull()
      expect(read(access).signIns).toEqual([{ proxy, username: null }])
      await access.handlers['networkAccess.signIn']({ proxy, ...given, password: 'new', remember: false })
      expect(await access.credentials(challenge(wrong))).toMatchObject({ password: 'new' })
    },
  )

  it('comes from the environment if that contains it', async () => {
    const access = setUp({ HTTPS_PROXY: `http://anna:secret-word@${proxy}` }).begin()
    expect(await access.credentials(challenge())).toEqual(given)
    expect(JSON.stringify(read(access))).not.toContain(given.password)
  })
})

describe('certificate authorities', () => {
  const root = makeCertificate({ name: 'Acme Root', authority: {} })
  const server = makeCertificate({ name: 'server', issuer: root, hosts: ['gpu.example.test'] })
  const vouches = (access: ReturnType<typeof createNetworkAccess>) =>
    access.vouchesFor('gpu.example.test', [server.pem])

  it('are added from a file, outlast the file, and can be removed', async () => {
    const { folder, begin, pick } = setUp()
    const access = begin()
    const { 'networkAccess.addAuthorities': add, 'networkAccess.removeAuthorities': remove } = access.handlers
    expect(vouches(access)).toBe(false)
    pick(join(folder, 'acme.pem'))
    writeFileSync(join(folder, 'acme.pem'), `# Acme\n${root.pem}`)
    expect(await add({})).toMatchObject({ authorities: { file: 'acme.pem', names: ['Acme Root'] } })
    // The file of certificates is truncated many times.
    writeFileSync(join(folder, 'acme.pem'), '-----BEGIN CERTIFICATE-----'.repeat(20_000))
    expect(vouches(begin())).toBe(true)
    await expect(add({})).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'authorities', reason: 'malformed' },
    })
    await remove({})
    expect(vouches(access)).toBe(false)
  })

  it('also come from the environment', () => {
    const { folder } = setUp()
    const file = join(folder, 'extra.pem')
    writeFileSync(file, root.pem)
    expect(vouches(setUp({ NODE_EXTRA_CA_CERTS: file }).begin())).toBe(true)
    expect(vouches(setUp({ NODE_EXTRA_CA_CERTS: '/no/such/file' }).begin())).toBe(false)
  })
})
