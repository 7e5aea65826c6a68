import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { memorySecrets } from '../../../test/fixtures/memory-secrets'
import { startModules } from '../../../test/fixtures/modules-harness'
import { startScriptedServer } from '../../../test/fixtures/scripted-server'

/** One address with two accounts, each with its own token and cloud. */
async function serviceOfTwo() {
  const [first, second] = await Promise.all(
    [7, 8].map(async (seed) => {
      const sandbox = await startSandbox({ port: 0, seed, machines: 4, speed: 100 })
      onTestFinished(() => sandbox.close())
      return sandbox
    }),
  )
  if (!first || !second) throw new Error('two sandboxes')
  const server = await startScriptedServer(async ({ method, url, headers, body }) => {
    const { authorization = '', 'refresh-token': refresh } = headers
    const isSecond = authorization.endsWith('-second')
    const { origin } = new URL((isSecond ? second : first).baseUrl)
    const answer = await fetch(origin + url, {
      method,
      headers: {
        authorization: isSecond ? `Bearer ${second.apiToken}` : authorization,
        'content-type': 'application/json',
        ...(typeof refresh === 'string' && { 'refresh-token': refresh }),
      },
      ...(body === '' ? {} : { body }),
    })
    return { status: answer.status, body: await answer.text() }
  })
  onTestFinished(() => server.close())
  const { pathname } = new URL(first.baseUrl)
  const tokenOf = (token: string) => ({ kind: 'api-token', token }) as const
  return {
    baseUrl: server.baseUrl + pathname,
    first: tokenOf(first.apiToken),
    second: tokenOf(`${second.apiToken}-second`),
    password: { kind: 'password', username: first.username, password: first.password } as const,
  }
}

/** An installation signed in with the first token, with a ledger, machines and a note. */
async function signedIn() {
  const service = await serviceOfTwo()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-another-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const started = startModules({
    folder,
    secrets: memorySecrets(),
    clock: fakeClock(Date.now() / 1000),
    fetch,
  })
  const { calls, modules } = started
  const { baseUrl, first } = service
  const { id: account } = await calls['accounts.connect']({ baseUrl, credential: first, staySignedIn: true })
  await modules.store.open()
  await modules.ledger.syncNow(account)
  await modules.fleet.refresh(account)
  const { machines } = await calls['fleet.snapshot']({ account })
  const resource = machines[0]?.id ?? ''
  await calls['notes.change']({ account, resource, note: { text: 'paper', tags: [] } })
  const { known } = modules.ledger.state(account)
  /** Data that would be lost if another account's machines were mistaken for this one's. */
  const kept = async () => {
    await modules.fleet.refresh(account).catch(() => undefined)
    return [await calls['notes.list']({ account }), modules.ledger.state(account).known]
  }
  return { ...service, ...started, account, resource, known, kept }
}

const another = { failure: { kind: 'invalid-input', field: 'credential', reason: 'another-account' } }

it('a token without evidence of the account needs confirmation, and nothing is lost without it', async () => {
  const { calls, account, second, known, resource, kept } = await signedIn()
  const input = { account, credential: second, staySignedIn: true }
  await expect(calls['accounts.signIn'](input)).rejects.toMatchObject(another)
  expect(await kept()).toEqual([{ [resource]: { text: 'paper', tags: [] } }, known])
  expect((await calls['accounts.list']({})).accounts).toMatchObject([{ id: account, state: 'signed-in' }])
  await expect(calls['accounts.signIn']({ ...input, confirmed: ['account'] })).resolves.toMatchObject({
    id: account,
  })
})

it('a token of another known account signs that account in and selects it', async () => {
  const { calls, baseUrl, account, first, second, resource, known, kept } = await signedIn()
  const other = await calls['accounts.connect']({ baseUrl, credential: second, staySignedIn: false })
  await calls['accounts.signOut']({ account: other.id })
  await calls['accounts.select']({ account })
  const input = { account, credential: second, staySignedIn: false }
  expect(await calls['accounts.signIn'](input)).toMatchObject({ id: other.id, state: 'signed-in' })
  expect(await calls['accounts.list']({})).toMatchObject({
    accounts: [{ id: account, state: 'signed-in' }, { id: other.id }],
    selected: other.id,
  })
  expect(await kept()).toEqual([{ [resource]: { text: 'paper', tags: [] } }, known])
  // A signed-out account still recognises its token.
  await calls['accounts.signOut']({ account })
  const again = await calls['accounts.connect']({ baseUrl, credential: first, staySignedIn: false })
  expect(again.id).toBe(account)
})

it('a new credential that shows a machine of the account is accepted without a question', async () => {
  const { calls, account, password, known, resource, kept } = await signedIn()
  const input = { account, credential: password, staySignedIn: true }
  expect(await calls['accounts.signIn'](input)).toMatchObject({ id: account, credential: 'password' })
  expect(await kept()).toEqual([{ [resource]: { text: 'paper', tags: [] } }, known])
})
