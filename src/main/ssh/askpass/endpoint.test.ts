import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { openEndpoint } from './endpoint'
import { askpassVariables } from './protocol'

/** Sends bytes to an endpoint; returns its answer, or null if it hangs up. */
const send = (path: string, text: string): Promise<string | null> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(path)
    socket.on('connect', () => socket.write(`${text}\0`))
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer === '' ? null : answer))
  })

async function open(reply: string | null = 'secret') {
  const clock = fakeClock()
  const asked: string[] = []
  const endpoint = await openEndpoint({
    clock,
    closed: () => undefined,
    answer: ({ prompt }) => {
      asked.push(prompt)
      return Promise.resolve(reply)
    },
  })
  onTestFinished(endpoint.close)
  const path = endpoint.env[askpassVariables.socket] ?? ''
  const token = endpoint.env[askpassVariables.token] ?? ''
  return { clock, asked, endpoint, path, token }
}

it('a client with the token is answered, in a private folder', async () => {
  const { path, token } = await open()
  expect(await send(path, JSON.stringify({ token, prompt: 'Password: ' }))).toBe('secret\0')
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  expect(readdirSync(dirname(path))).toEqual(['s'])
})

it.each([
  ['a wrong token', (token: string) => JSON.stringify({ token: token.replace(/./, 'x'), prompt: 'p' })],
  ['half a token', (token: string) => JSON.stringify({ token: token.slice(0, 32), prompt: 'p' })],
  ['no token', () => JSON.stringify({ token: '', prompt: 'p' })],
  ['another shape', (token: string) => JSON.stringify([token])],
  ['no text', () => '\0\xff'],
  ['too much', (token: string) => JSON.stringify({ token, prompt: 'p'.repeat(100_000) })],
])('a client with %s gets no answer, and the user no question', async (_, text) => {
  const { path, token, asked } = await open()
  expect(await send(path, text(token))).toBeNull()
  expect(asked).toEqual([])
})

it('an answer of two lines is not sent', async () => {
  const { path, token } = await open('one\ntwo')
  expect(await send(path, JSON.stringify({ token, prompt: 'p' }))).toBeNull()
})

it('an endpoint answers 20 questions at most and closes after a while without one', async () => {
  const { path, token, asked, clock } = await open()
  for (let time = 0; time < 22; time += 1) await send(path, JSON.stringify({ token, prompt: 'p' }))
  expect(asked).toHaveLength(20)
  clock.advance(151)
  await expect.poll(() => existsSync(path)).toBe(false)
})

it('a question ends with the asking program', async () => {
  const clock = fakeClock()
  let isGone: boolean | undefined
  const endpoint = await openEndpoint({
    clock,
    closed: () => undefined,
    answer: (_prompt, gone) => {
      isGone = gone.aborted
      gone.addEventListener('abort', () => (isGone = true))
      return new Promise(() => undefined)
    },
  })
  onTestFinished(endpoint.close)
  const { [askpassVariables.socket]: path = '', [askpassVariables.token]: token } = endpoint.env
  const socket = connect(path)
  socket.write(`${JSON.stringify({ token, prompt: 'p' })}\0`)
  await expect.poll(() => isGone).toBe(false)
  socket.destroy()
  await expect.poll(() => isGone).toBe(true)
})

it('an endpoint opens only in its own folder and removes it', async () => {
  const root = temporaryFolder()
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(root, { recursive: true })
  })
  const long = join(root, 'x'.repeat(100))
  mkdirSync(long)
  vi.stubEnv('TMPDIR', long)
  const opening = openEndpoint({
    clock: fakeClock(),
    closed: () => undefined,
    answer: () => Promise.resolve(null),
  })
  await expect(opening).rejects.toThrow('too long')
  expect(readdirSync(long)).toEqual([])
})
