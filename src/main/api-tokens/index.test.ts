import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eagerClock, fakeClock } from '../../../test/fixtures/fake-clock'
import type { ApiTokenCreation } from '#shared/bridge/api-token'
import { connect, control, requestsTo, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { createCapabilities } from '../capabilities/index'
import { openSettings } from '../store/settings'
import { createApiTokens } from './index'

const createdId = (outcome: ApiTokenCreation): string => {
  if (outcome.kind !== 'created') throw new Error(outcome.failure.kind)
  return outcome.token.id
}

const clock = fakeClock(1_000_000)

const open = async (through?: typeof fetch) => {
  const sandbox = await runSandbox()
  const harness = await setUp({ ...(through && { fetch: through }) })
  const { id: account } = await connect(harness, sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-tokens-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = openSettings(folder)
  onTestFinished(() => settings.close())
  const capabilities = createCapabilities({
    accounts: harness.accounts,
    settings,
    clock,
    report: (_action, error) => {
      throw error
    },
  })
  const tokens = createApiTokens({
    accounts: harness.accounts,
    capabilities,
    clock: { ...clock, after: eagerClock().after },
  })
  const { handlers } = tokens
  const list = async () => (await handlers['apiTokens.list']({ account })).items
  const named = async (name: string) => {
    const found = (await list()).find((token) => token.name === name)
    if (!found) throw new Error(`there is no token ${name}`)
    return found
  }
  return { sandbox, harness, account, capabilities, tokens, handlers, list, named }
}

describe('the API tokens of an account', () => {
  it('are listed without their values, with their last use', async () => {
    const { handlers, account, sandbox, tokens } = await open()
    const listed = await handlers['apiTokens.list']({ account })
    expect(
      listed.items.map(({ name, lastUsed, hasValue }) => ({ name, never: lastUsed === 0, hasValue })),
    ).toEqual([
      { name: 'laptop', never: false, hasValue: true },
      { name: 'ci-nightly', never: false, hasValue: true },
      { name: 'grafana', never: true, hasValue: true },
    ])
    expect(JSON.stringify(listed)).not.toContain(sandbox.apiToken)
    expect(await tokens.secret(account, listed.items[0]?.id ?? '')).toBe(sandbox.apiToken)
  })

  it('can be renamed and described, and keep the facts that the answer lacks', async () => {
    const { handlers, account, named } = await open()
    const { id, lastUsed } = await named('ci-nightly')
    const change = { name: 'ci', description: 'Weekly' }
    expect(await handlers['apiTokens.update']({ account, token: id, change })).toMatchObject({
      kind: 'done',
      token: { name: 'ci', description: 'Weekly', lastUsed },
    })
    expect(await named('ci')).toMatchObject({ description: 'Weekly' })
  })

  it('can be used to sign in to the account', async () => {
    const { handlers, account, named, harness, sandbox } = await open()
    const { id, inUse } = await named('laptop')
    expect(inUse).toBe(false)
    expect(await handlers['apiTokens.use']({ account, token: id })).toMatchObject({
      id: account,
      credential: 'api-token',
      state: 'signed-in',
    })
    expect((await named('laptop')).inUse).toBe(true)
    expect(JSON.stringify(harness.accounts.view())).not.toContain(sandbox.apiToken)
  })

  it('keep the value of a token that is created while they are read', async () => {
    const { sandbox, harness, account, capabilities } = await open()
    let created: Promise<string> | undefined
    const tokens = createApiTokens({
      capabilities,
      clock,
      accounts: {
        ...harness.accounts,
        service: (id) => {
          const service = harness.accounts.service(id)
          const { list } = service.apiTokens
          const held: typeof list = async (page) => {
            const answer = await list(page)
            created ??= create()
            await created
            return answer
          }
          return { ...service, apiTokens: { ...service.apiTokens, list: held } }
        },
      },
    })
    async function create(): Promise<string> {
      return createdId(
        await tokens.handlers['apiTokens.create']({ account, token: { name: 'new', description: '' } }),
      )
    }
    await tokens.handlers['apiTokens.list']({ account })
    await control(sandbox, 'POST', '/faults', { kind: 'status', status: 500, path: '/api-tokens', count: 9 })
    expect(await tokens.secret(account, (await created) ?? '')).toMatch(/\S{16,}/)
  })

  it('have no value if the service does not report it', async () => {
    const { account, sandbox, tokens, list } = await open()
    await control(sandbox, 'POST', '/faults', {
      kind: 'status',
      status: 200,
      path: '/api-tokens',
      count: 9,
      body: JSON.stringify({
        status: true,
        message: 'Tokens',
        data: [{ id: 'quiet', name: 'quiet' }],
        total: 1,
      }),
    })
    expect(await list()).toMatchObject([{ name: 'quiet', hasValue: false, lastUsed: null, createdAt: null }])
    await expect(tokens.secret(account, 'quiet')).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'token', reason: 'unknown' },
    })
  })

  it('can be created, shown once and deleted, if the service offers that', async () => {
    const { handlers, account, tokens, named, list, capabilities } = await open()
    const wanted = { name: 'new', description: 'For tests' }
    const id = createdId(await handlers['apiTokens.create']({ account, token: wanted }))
    expect(await named('new')).toMatchObject({ id, lastUsed: 0, description: 'For tests' })
    expect(await tokens.secret(account, id)).toMatch(/\S{16,}/)
    await expect(handlers['apiTokens.delete']({ account, token: id, name: 'old' })).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'name', reason: 'not-the-name' },
    })
    await handlers['apiTokens.delete']({ account, token: id, name: 'new' })
    expect((await list()).map(({ name }) => name)).not.toContain('new')
    expect(capabilities.capability(account, 'create-token')).toBe('yes')
    expect(capabilities.capability(account, 'delete-token')).toBe('yes')
  })

  it.each([
    ['before', null],
    ['after', 'new'],
  ] as const)(
    'are looked up if the answer was lost %s the creation, and created once',
    async (when, name) => {
      const { handlers, account, sandbox, list } = await open()
      const before = (await list()).map(({ id }) => id)
      await control(sandbox, 'POST', '/faults', { kind: 'drop', when, method: 'POST' })
      const outcome = await handlers['apiTokens.create']({ account, token: { name: 'new', description: '' } })
      expect(outcome).toMatchObject({ kind: 'unknown', failure: { kind: 'cannot-connect' } })
      const found = await handlers['apiTokens.lookUp']({ account, name: 'new', before })
      expect(found?.name ?? null).toBe(name)
      const posts = (await requestsTo(sandbox)).filter((request) => request.startsWith('POST /api-tokens'))
      expect(posts).toHaveLength(1)
    },
  )

  it.each([
    ['before', null],
    ['after', { name: 'ci', description: '' }],
  ] as const)('are looked up if a rename got no answer %s it was done', async (when, now) => {
    const { handlers, account, sandbox, named } = await open()
    const { id } = await named('ci-nightly')
    const order = { account, token: id, change: { name: 'ci', description: '' } }
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when, method: 'PUT' })
    expect(await handlers['apiTokens.update'](order)).toMatchObject({
      kind: 'unknown',
      failure: { kind: 'cannot-connect' },
    })
    const found = await handlers['apiTokens.lookUpUpdate'](order)
    expect(found && { name: found.name, description: found.description ?? '' }).toEqual(now)
    const sent = (await requestsTo(sandbox)).filter((request) => request.startsWith('PUT'))
    expect(sent).toHaveLength(1)
  })

  it('are gone after another program deleted them, whatever the service’s capabilities', async () => {
    const { handlers, account, named, sandbox, capabilities } = await open()
    const { id } = await named('grafana')
    await control(sandbox, 'DELETE', `/api-tokens/${id}`)
    await expect(handlers['apiTokens.delete']({ account, token: id, name: 'grafana' })).rejects.toMatchObject(
      {
        failure: { kind: 'refused-by-service', status: 404 },
      },
    )
    expect(capabilities.capability(account, 'delete-token')).toBe('unknown')
  })

  it('are forgotten when the account signs out', async () => {
    const { harness, account, tokens, named, sandbox } = await open()
    const { id } = await named('laptop')
    await harness.accounts.handlers['accounts.signOut']({ account })
    await control(sandbox, 'DELETE', '/requests')
    await expect(tokens.secret(account, id)).rejects.toMatchObject({ failure: { kind: 'not-signed-in' } })
    expect(await requestsTo(sandbox)).toEqual([])
  })

  it('are not stored if their list arrives after the account signed out', async () => {
    let release = (): void => undefined
    const latch = new Promise<void>((resolve) => (release = resolve))
    let isShut = false
    let waiting = 0
    const { harness, account, tokens, list } = await open(async (input, init) => {
      const answer = await fetch(input, init)
      if (!isShut || !/offset=[1-9]/.test(input instanceof Request ? input.url : input.toString()))
        return answer
      waiting += 1
      await latch
      return answer
    })
    const { id = '' } = (await list())[0] ?? {}
    isShut = true
    const late = list()
    await expect.poll(() => waiting).toBe(1)
    await harness.accounts.handlers['accounts.signOut']({ account })
    release()
    await late
    await expect(tokens.secret(account, id)).rejects.toMatchObject({ failure: { kind: 'not-signed-in' } })
  })
})
