import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { answerCall } from '../../src/main/desktop/answer-call'
import { runSandbox } from '../fixtures/account-harness'
import { fakeClock } from '../fixtures/fake-clock'
import { memorySecrets } from '../fixtures/memory-secrets'
import { startModules } from '../fixtures/modules-harness'
import { undescribed, type Undescribed, withFields, withUnreadable } from '../fixtures/undescribed-fields'

const Body = z.looseObject({ data: z.unknown() })
const canary = 'Ca9nary'

/** Every message over the bridge, and every saved file, in a session with such a service. */
async function session() {
  const { baseUrl, username, password } = await runSandbox()
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-undescribed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const target = join(folder, 'saved')
  let fields: Undescribed = {}
  let isOdd = false
  const odd: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    const text = await answer.text()
    const { status, headers } = answer
    if (text === '' || !(headers.get('content-type') ?? '').includes('json'))
      return new Response(text === '' ? null : text, { status, headers })
    const body = Body.parse(JSON.parse(text))
    const data = isOdd ? withUnreadable(body.data) : body.data
    return Response.json(withFields({ ...body, data }, fields), { status })
  }
  const messages: unknown[] = []
  const { calls, modules, forwardEvents } = startModules({
    folder,
    secrets: memorySecrets(),
    clock: fakeClock(Date.now() / 1000),
    fetch: odd,
    target,
  })
  forwardEvents((name, payload) => messages.push([name, payload]))
  const call = async (name: string, input: object) => {
    const answer = await answerCall(calls, name, input)
    messages.push([name, answer])
    return answer
  }
  const credential = { kind: 'password', username, password } as const
  const { id: account } = await calls['accounts.connect']({ baseUrl, credential, staySignedIn: false })
  await modules.store.open()

  async function everything(): Promise<void> {
    await Promise.all(
      ['fleet.refresh', 'volumes.refresh', 'bareMetal.refresh'].map((name) => call(name, { account })),
    )
    const machine = modules.fleet.snapshot(account)?.machines[0]?.id ?? 'none'
    const volume = modules.volumes.snapshot(account).volumes[0]?.id ?? 'none'
    const [filter, descending, job] = [{}, true, 'property-job']
    const statements = { kind: 'statements', filter, sort: 'startedAt', descending }
    const usage = { kind: 'usage', filter, sort: 'createdAt', descending }
    const range = { limit: 50, offset: 0 }
    const sorted = { sortField: 'created_at', sortOrder: 'asc' }
    const rows: readonly (readonly [string, object])[] = [
      ...['fleet.snapshot', 'volumes.snapshot', 'bareMetal.snapshot', 'apiTokens.list', 'balance.read'].map(
        (name) => [name, {}] as const,
      ),
      ...['cost.spending', 'ledger.state', 'capabilities.read', 'billing.resources', 'accounts.list'].map(
        (name) => [name, {}] as const,
      ),
      ...['machine', 'bare-metal'].flatMap((kind) =>
        ['catalog.flavors', 'catalog.images', 'catalog.regions'].map((name) => [name, { kind }] as const),
      ),
      ['volumes.types', { region: 'us-east-1' }],
      ['firewall.list', { machine, ...range, ...sorted }],
      ['firewall.list', { machine: 'no-such-machine', ...range, ...sorted }],
      ['machine.power', { machine: 'no-such-machine', action: 'start' }],
      ['machine.power', { machine, action: 'start' }],
      ['metrics.read', { machine, period: '1h', range: null, width: 100, fresh: true }],
      ['bareMetal.add', { instance: 'no-such-instance' }],
      ['volumes.detach', { machine, volume }],
      ['volumes.attach', { machine, volumes: [volume] }],
      ['apiTokens.create', { token: { name: 'property' } }],
      ['billing.statements', { query: statements, ...range }],
      ['billing.usage', { query: usage, ...range }],
      ['billing.total', { query: statements, job, atMost: null }],
    ]
    for (const [name, input] of rows) await call(name, { account, ...input })
    for (const source of [statements, usage])
      for (const format of ['csv', 'json']) {
        await call('export.table', { account, job, format, source })
        if (existsSync(target)) messages.push(readFileSync(target, 'utf8'))
      }
  }

  return {
    messages,
    /** Every text for the user from a service whose records have such fields. */
    async read(next: Undescribed, withOdd: boolean): Promise<string> {
      fields = next
      isOdd = withOdd
      messages.splice(0)
      await everything()
      return JSON.stringify(messages)
    },
  }
}

it(
  'text of undescribed fields crosses the bridge masked, at any depth, and is in no file',
  { timeout: 240_000 },
  async () => {
    const { read, messages } = await session()
    const plain = await read({}, false)
    // Every answer is well-formed.
    expect(plain.includes('"kind":"invalid-input"')).toBe(false)
    await fc.assert(
      fc.asyncProperty(undescribed(canary), fc.boolean(), async (fields, withOdd) => {
        const text = await read(fields, withOdd)
        const at = text.indexOf(canary)
        expect(at < 0 ? '' : text.slice(Math.max(0, at - 300), at + 20)).toBe('')
        expect(messages.length).toBeGreaterThan(40)
      }),
      { numRuns: 3 },
    )
  },
)
