import { describe, expect, it } from 'vitest'
import { firstProxy, proxyProblem } from './proxy-failure'
import { environmentProxy, proxyAddress } from './proxy-config'

const exceptions = (list: string) => {
  const proxy = environmentProxy({ HTTPS_PROXY: 'proxy:1', NO_PROXY: list })
  return proxy?.kind === 'proxy' ? proxy.config : proxy
}

describe('the address of a proxy', () => {
  it.each([
    ['proxy.example.com:8080', 'http://proxy.example.com:8080'],
    [' http://proxy.example.com ', 'http://proxy.example.com:80'],
    ['https://proxy.example.com/', 'https://proxy.example.com:443'],
    ['socks5h://10.0.0.1', 'socks5://10.0.0.1:1080'],
    ['[::1]:3128', 'http://[::1]:3128'],
  ])('is read from %s', (text, rule) => {
    expect(proxyAddress(text)?.rule).toBe(rule)
  })

  it.each(['', 'ftp://proxy', 'http://proxy/path', 'http://proxy?x', 'two words', 'file:///etc'])(
    'is not read from "%s"',
    (text) => {
      expect(proxyAddress(text)).toBeNull()
    },
  )
})

describe('the user name and the password of a proxy', () => {
  it.each([
    ['http://ana:100%=x@proxy:8080', 'ana', '100%=x'],
    ['http://ana:50% off@proxy:8080', 'ana', '50% off'],
    ['http://ana:ü%@proxy:8080', 'ana', 'ü%'],
    ['http://ana:a#b?c/d@proxy:8080', 'ana', 'a#b?c/d'],
    ['http://ana:a@b:c@proxy:8080', 'ana', 'a@b:c'],
    ['http://CORP\\alice:pw@proxy:8080', 'CORP\\alice', 'pw'],
    ['CORP\\alice:pw@proxy:8080', 'CORP\\alice', 'pw'],
    ['http://CORP%5Calice:p%23w@proxy:8080', 'CORP\\alice', 'p#w'],
    ['http://ana@proxy:8080', 'ana', ''],
  ])('are read unchanged from %s', (text, username, password) => {
    expect(proxyAddress(text)).toEqual({
      proxy: 'proxy:8080',
      rule: 'http://proxy:8080',
      credential: { username, password },
    })
  })
})

describe('the environment', () => {
  it.each([
    [{ HTTPS_PROXY: 'not a proxy' }, 'HTTPS_PROXY'],
    [{ all_proxy: 'http://proxy/path' }, 'all_proxy'],
  ])('names the variable with an invalid address: %j', (env, variable) => {
    expect(environmentProxy(env)).toEqual({ kind: 'malformed', variable })
  })

  it('names the proxy for https, lower case first, and its credentials', () => {
    const both = environmentProxy({ https_proxy: 'http://an%20na:p%40ss@low:1', HTTPS_PROXY: 'high:2' })
    expect(both).toMatchObject({
      address: {
        proxy: 'low:1',
        rule: 'http://low:1',
        credential: { username: 'an na', password: 'p@ss' },
      },
    })
    expect(environmentProxy({ ALL_PROXY: 'socks5://all:3' })).toMatchObject({
      address: { rule: 'socks5://all:3' },
    })
    expect(environmentProxy({ HTTP_PROXY: 'plain:4', NO_PROXY: 'x' })).toBeNull()
  })

  it('names exceptions as other programs read them, and none that would proxy loopback', () => {
    const NO_PROXY = 'example.com, .corp.test *.x.test,10.0.0.0/8 192.0.2.1 host:8443,<-loopback>'
    expect(exceptions(NO_PROXY)).toEqual({
      mode: 'fixed_servers',
      proxyRules: 'http://proxy:1',
      proxyBypassRules:
        'example.com,*.example.com,*.corp.test,*.x.test,10.0.0.0/8,192.0.2.1,host:8443,*.host:8443',
    })
    expect(exceptions('.corp.test:8443')).toMatchObject({ proxyBypassRules: '*.corp.test:8443' })
    expect(exceptions('::1 2001:db8::5 [2001:db8::6]:443 2001:db8::/32')).toMatchObject({
      proxyBypassRules: '[::1],[2001:db8::5],[2001:db8::6]:443,2001:db8::/32',
    })
    expect(exceptions('müller.test,.müller.test,müller.test:8443')).toMatchObject({
      proxyBypassRules:
        'xn--mller-kva.test,*.xn--mller-kva.test,*.xn--mller-kva.test,xn--mller-kva.test:8443,*.xn--mller-kva.test:8443',
    })
    expect(exceptions('*')).toEqual({ mode: 'direct' })
  })
})

describe('Chromium’s proxy errors', () => {
  it('are classified by their code', () => {
    expect(proxyProblem('ERR_PROXY_CONNECTION_FAILED')).toBe('unreachable')
    expect(proxyProblem('ERR_TUNNEL_CONNECTION_FAILED')).toBe('refused')
    expect(proxyProblem('ERR_CONNECTION_REFUSED')).toBeUndefined()
    expect(proxyProblem(undefined)).toBeUndefined()
  })

  it('name the first proxy of a list', () => {
    expect(firstProxy('PROXY proxy.example.com:8080; DIRECT')).toBe('proxy.example.com:8080')
    expect(firstProxy('SOCKS5 10.0.0.1:1080')).toBe('10.0.0.1:1080')
    expect(firstProxy('DIRECT')).toBe('')
  })
})
