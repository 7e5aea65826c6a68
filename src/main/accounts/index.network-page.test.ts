import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { startScriptedServer } from '../../../test/fixtures/scripted-server'

const page = {
  status: 401,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<h1>Sign in</h1>',
}

/** Starts a service in a network that answers every request with its own page until the user signs in to it. */
const begin = async () => {
  const sandbox = await runSandbox()
  const { origin, pathname } = new URL(sandbox.baseUrl)
  let isClosed = false
  const server = await startScriptedServer(async ({ method, url, headers, body }) => {
    if (isClosed) return page
    const { authorization = '' } = headers
    const answer = await fetch(origin + url, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    return { status: answer.status, body: await answer.text() }
  })
  onTestFinished(() => server.close())
  return {
    sandbox,
    harness: await setUp(),
    url: server.baseUrl + pathname,
    close: () => (isClosed = true),
    open: () => (isClosed = false),
  }
}

const unexpected = { kind: 'unexpected-answer', received: 'HTTP 401, text/html', status: 401 }

describe('a network with its own sign-in page', () => {
  it('refuses neither a password nor a token', async () => {
    const { sandbox, harness, url, close } = await begin()
    close()
    const there = { ...sandbox, baseUrl: url }
    await expect(connect(harness, there)).rejects.toMatchObject({ failure: unexpected })
    await expect(connectWithToken(harness, there)).rejects.toMatchObject({ failure: unexpected })
  })

  it('does not sign out accounts or drop their credentials', async () => {
    const { sandbox, harness, url, close, open } = await begin()
    const { id } = await connect(harness, sandbox, { url })
    const images = () => harness.accounts.service(id).images.list()
    close()
    await expect(images()).rejects.toMatchObject({ failure: unexpected })
    await control(sandbox, 'DELETE', '/sessions')
    await expect(images()).rejects.toMatchObject({ failure: unexpected })
    expect(harness.accounts.view().accounts).toMatchObject([{ state: 'signed-in', failure: null }])

    const restarted = await harness.restart()
    await restarted.resume()
    expect(restarted.view().accounts).toMatchObject([{ state: 'signed-out', failure: unexpected }])
    expect([...harness.secrets.entries.keys()]).toContain(`${id}/password-digest`)
    open()
    await restarted.resume()
    expect(restarted.view().accounts).toMatchObject([{ state: 'signed-in', failure: null }])
  })
})
