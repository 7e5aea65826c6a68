import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { documentedAnswers } from './documented-answers.fixture'
import { startTestSandbox } from './sandbox.fixture'

it('every test of the sandbox finds answers that differ from the document', async () => {
  const sandbox = await startTestSandbox()
  onTestFinished(() => sandbox.close())
  const check = documentedAnswers(await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json())
  const { code, ...answer } = await sandbox.ask('GET', '/api-tokens')
  expect(check('GET', '/api-tokens?limit=5', code, answer)).toBeUndefined()
  const [first, ...others] = z.array(z.looseObject({})).parse(answer.data)
  const more = { ...answer, data: [{ ...first, undocumented: 1 }, ...others] }
  expect(check('GET', '/api-tokens', 200, more)).toContain('undocumented')
  expect(check('GET', '/api-tokens', 200, { ...answer, data: [{ ...first, name: 7 }] })).toContain('name')
  expect(check('GET', '/api-tokens', 418, answer)).toContain('418 is not documented')
  expect(check('GET', '/nowhere', 404, { status: true, message: '' })).toContain('GET /nowhere 404')
  expect(check('GET', '/nowhere', 404, { status: false, message: 'no', data: {} })).toBeUndefined()
})
