import { existsSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPrivateSocket } from './private-socket'

/** Sends text; returns the answer, or null if the socket closes without one. */
const send = (path: string, text: string): Promise<string | null> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(path)
    socket.on('connect', () => socket.write(text))
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer === '' ? null : answer))
  })

async function open() {
  const requests: unknown[] = []
  const socket = await openPrivateSocket({
    use: 'cli',
    platform: 'linux',
    maxRequestBytes: 1_000,
    answer: (request) => {
      requests.push(request)
      return Promise.resolve('fine')
    },
    refuse: (reason) => reason,
  })
  onTestFinished(socket.close)
  return { ...socket, requests }
}

it('only this user can open the folder and the socket, whose path fits every system', async () => {
  const { path } = await open()
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(Buffer.byteLength(path)).toBeLessThan(103)
})

it('a request with the token is answered, and the token is not passed on', async () => {
  const { path, token, requests } = await open()
  expect(await send(path, `${JSON.stringify({ token, call: 'one' })}\0`)).toBe('fine\0')
  expect(requests).toEqual([{ call: 'one' }])
})

it.each([
  ['a wrong token', (token: string) => `${JSON.stringify({ token: token.replace(/./, 'x') })}\0`, null],
  ['half a token', (token: string) => `${JSON.stringify({ token: token.slice(32) })}\0`, null],
  ['no JSON', () => 'call\0', 'malformed\0'],
  ['no object', () => '[1]\0', 'malformed\0'],
  [
    'too much in one request',
    (token: string) => `${JSON.stringify({ token, text: 'x'.repeat(2_000) })}\0`,
    'too-long\0',
  ],
])('a request with %s is refused', async (_, text, answer) => {
  const { path, token, requests } = await open()
  expect(await send(path, text(token))).toBe(answer)
  expect(requests).toEqual([])
})

it('a closed socket leaves no folder', async () => {
  const { path, close } = await open()
  close()
  expect(existsSync(dirname(path))).toBe(false)
})
