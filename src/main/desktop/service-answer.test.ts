import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { answerTo } from './service-answer'

const setUp = (signal?: AbortSignal) => {
  let aborts = 0
  const request = Object.assign(new EventEmitter(), { abort: () => void (aborts += 1) })
  const answer = answerTo(request, signal, (error) =>
    Promise.resolve(new Error(`explained ${error.message}`)),
  )
  const respond = (statusCode: number, headers: Record<string, string | string[]> = {}) => {
    const message = Object.assign(new EventEmitter(), { statusCode, headers })
    request.emit('response', message)
    return message
  }
  return { request, answer, respond, aborts: () => aborts }
}

describe('the answer to a request of Chromium', () => {
  it('is aborted by its signal long after the request was sent', async () => {
    const ending = new AbortController()
    const { request, answer, aborts } = setUp(ending.signal)
    // Electron's request is a stream, which closes once everything is written.
    request.emit('close')
    ending.abort()
    await expect(answer).rejects.toThrow('aborted')
    expect(aborts()).toBe(1)
  })

  it.each([999, 600, 101])('with status %i is rejected, and the request ends', async (status) => {
    const { answer, respond, aborts } = setUp()
    respond(status)
    await expect(answer).rejects.toThrow('ERR_INVALID_HTTP_RESPONSE')
    expect(aborts()).toBe(1)
  })

  it('skips a header that is not Latin-1 and keeps the rest', async () => {
    const { answer, respond } = setUp()
    respond(200, { 'x-owner': 'Жук', 'content-type': ['application/json'] })
    expect([...(await answer).headers]).toEqual([['content-type', 'application/json']])
  })

  it('fails with the connection error in the middle of the body, without an abort', async () => {
    const { answer, respond } = setUp()
    const message = respond(200)
    const text = (await answer).text()
    message.emit('data', new TextEncoder().encode('{'))
    message.emit('error', new Error('net::ERR_CONTENT_LENGTH_MISMATCH'))
    await expect(text).rejects.toThrow('explained net::ERR_CONTENT_LENGTH_MISMATCH')
  })

  it('ends the request when its body is cancelled, and reads nothing more', async () => {
    const { answer, respond, aborts } = setUp()
    const message = respond(200)
    await (await answer).body?.cancel()
    message.emit('data', new Uint8Array(1))
    message.emit('end')
    expect(aborts()).toBe(1)
  })

  it('has no body for a status without one, and explains an earlier error', async () => {
    const { answer, respond, aborts } = setUp()
    const message = respond(204)
    expect((await answer).body).toBeNull()
    expect(aborts()).toBe(0)
    message.emit('data', new Uint8Array(1))
    expect(aborts(), 'a body that comes all the same').toBe(1)
    const failing = setUp()
    failing.request.emit('error', new Error('net::ERR_TUNNEL_CONNECTION_FAILED'))
    await expect(failing.answer).rejects.toThrow('explained net::ERR_TUNNEL_CONNECTION_FAILED')
  })
})
