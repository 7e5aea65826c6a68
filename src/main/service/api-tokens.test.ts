import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { limits } from '#shared/service/limits'
import { must, refusal, useSandboxClient } from '../../../test/fixtures/service-client'
import { apiTokens } from './api-tokens'

const client = useSandboxClient(1)

const own = async () => {
  const { items } = await client.service.apiTokens.list({ limit: 1_000 })
  return must(items.find(({ token }) => token === client.sandbox.apiToken))
}

describe('API tokens', () => {
  it('are listed in pages with a total, sorted, with their last use', async () => {
    const whole = await client.service.apiTokens.list({ limit: 1_000, sortField: 'name', sortOrder: 'asc' })
    expect(whole.total).toBe(whole.items.length)
    const names = whole.items.map(({ name }) => name)
    expect(names).toEqual([...names].sort())
    expect(
      (await client.service.apiTokens.list({ limit: 1, offset: 1, sortField: 'name' })).items,
    ).toMatchObject([{ id: must(whole.items[1]).id }])
    expect((await own()).last_used).toBeGreaterThan(0)
    expect(whole.items.some(({ last_used }) => last_used === 0)).toBe(true)
  })

  it('can be renamed, up to the limit, and lose a description that is not sent', async () => {
    const { id } = await own()
    const name = 'n'.repeat(limits.apiTokenName)
    expect(await client.service.apiTokens.update(id, { name, description: 'for tests' })).toMatchObject({
      id,
      name,
    })
    expect(await client.service.apiTokens.update(id, { name: 'short' })).toMatchObject({
      id,
      name: 'short',
      description: '',
      token: client.sandbox.apiToken,
    })
    expect(await own()).toMatchObject({ name: 'short', description: '' })
  })

  it.each([['n'.repeat(limits.apiTokenName + 1)], [''], [7], [undefined]])(
    'refuse the name %j',
    async (name) => {
      const { id } = await own()
      const attempt = client.http.send('PUT', `/api-tokens/${id}`, { name }, z.unknown())
      await expect(attempt).rejects.toMatchObject(refusal(400, 'name'))
    },
  )

  it('are not found by an unknown id', async () => {
    await expect(client.service.apiTokens.update('unknown', { name: 'n' })).rejects.toMatchObject(
      refusal(404, 'id'),
    )
  })

  it.each([
    ['limit', '1001'],
    ['sortField', 'token'],
    ['sortOrder', 'up'],
  ])('refuse %s=%s', async (field, value) => {
    const attempt = client.http.get('/api-tokens', z.unknown(), { query: { [field]: value } })
    await expect(attempt).rejects.toMatchObject(refusal(400, field))
  })
})

it('keeps the value of a new token even if its other fields are malformed', async () => {
  const unasked = () => Promise.reject(new Error('not asked'))
  const answer = { id: 't1', description: {}, token: 'shown once', created_at: '2026-03-01', last_used: [] }
  const tokens = apiTokens({
    get: unasked,
    list: unasked,
    page: unasked,
    send: (_method, _path, _body, schema) => Promise.resolve(schema.parse(answer)),
  })
  expect(await tokens.create({ name: 'ci' })).toMatchObject({ id: 't1', name: 'ci', token: 'shown once' })
})
