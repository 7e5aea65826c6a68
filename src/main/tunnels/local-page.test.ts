import { describe, expect, it } from 'vitest'
import { findJupyter, jupyterPage } from './jupyter'
import { localPageUrl } from './local-page'

const server = (changes: object): string =>
  JSON.stringify(
    { base_url: '/', port: 8888, token: 'abc', url: 'http://localhost:8888/', ...changes },
    null,
    1,
  )

describe('the token of Jupyter', () => {
  it('comes from the server on the port, in Jupyter’s list and in the runtime files', () => {
    const text = `${server({ port: 9999, token: 'other' })}\n${server({ base_url: '/lab/' })}`
    expect(jupyterPage(text, 8888)).toEqual({ path: '/lab/', token: 'abc' })
    expect(jupyterPage(server({ token: '' }), 8888)).toEqual({ path: '/', token: null })
    expect(jupyterPage(text, 1)).toBeUndefined()
  })

  it('comes with https if the server has a certificate', () => {
    // `jupyter server list --json` reports `secure`; some runtime files only contain the address.
    for (const changes of [{ secure: true }, { url: 'https://localhost:8888/' }])
      expect(jupyterPage(server(changes), 8888)).toEqual({ path: '/', token: 'abc', secure: true })
    expect(jupyterPage(server({ secure: false }), 8888)).toEqual({ path: '/', token: 'abc' })
  })

  it('is read from the runtime files if jupyter is not installed', async () => {
    const exec = (command: string) => {
      const stdout = command.startsWith('for ') ? server({}) : ''
      return Promise.resolve({ kind: 'finished', stdout, stderr: '', status: 127 } as const)
    }
    expect(await findJupyter(exec, 8888)).toEqual({ path: '/', token: 'abc' })
  })

  it('is missing if the output is no list', () => {
    for (const text of [
      '{',
      '{}',
      '[]',
      '{"port":8888}',
      '{'.repeat(250_000),
      server({ token: 'a'.repeat(600) }),
    ])
      expect(jupyterPage(text, 8888)).toBeUndefined()
  })
})

it('an opened page is on this computer’s loopback, whatever the machine answered', () => {
  expect(localPageUrl({ port: 8889, path: '/lab/', token: 'a&b=c#d' })).toBe(
    'http://127.0.0.1:8889/lab/?token=a%26b%3Dc%23d',
  )
  expect(localPageUrl({ port: 8889, path: '/lab/', token: 'abc', secure: true })).toBe(
    'https://127.0.0.1:8889/lab/?token=abc',
  )
  const paths = [
    '//evil.example/',
    '/\\evil.example',
    '@evil.example/',
    ':80@evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/../../',
    '?token=1',
    '#',
    '\r\nHost: evil',
    '\u0000',
    `/${'a'.repeat(9_999)}`,
  ]
  for (const path of paths) {
    const url = new URL(localPageUrl({ port: 8889, path, token: '\r\n //evil.example' }))
    expect(url.origin).toBe('http://127.0.0.1:8889')
    expect([url.username, url.password, url.hash]).toEqual(['', '', ''])
  }
  for (const port of [0, 65_536, 1.5, Number.NaN])
    expect(() => localPageUrl({ port, path: '/', token: null })).toThrow('not a port')
})
