import { createServer } from 'node:https'
import { request } from 'node:http'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { makeCertificate } from '../../fixtures/certificates'
import { startProxy } from '../../fixtures/connect-proxy'
import { listen } from '../../fixtures/scripted-server'

export const serviceHost = 'gpu.example.test'

/**
 * A company's network: a service behind a proxy, with a certificate of the company's authority. `folder` gets the
 * authority's file.
 */
export async function startCorporateNetwork(
  service: { readonly baseUrl: string },
  folder: string,
  options: { readonly credential?: string; readonly refuses?: () => number | null } = {},
) {
  const authority = makeCertificate({ name: 'Acme Labs Root CA', authority: {} })
  const issuing = makeCertificate({ name: 'Acme Labs Issuing CA', issuer: authority, authority: {} })
  const own = makeCertificate({ name: 'gpu', issuer: issuing, hosts: [serviceHost] })
  const target = new URL(service.baseUrl)
  const gateway = createServer({ key: own.key, cert: own.pem + issuing.pem }, (received, response) => {
    const { method, url, headers } = received
    const { host: _, ...others } = headers
    const forwarded = request({
      host: target.hostname,
      port: target.port,
      method,
      path: url,
      headers: others,
    })
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    received.pipe(forwarded)
  })
  const proxy = await startProxy({ to: await listen(gateway), ...options })
  const authorityFile = join(folder, 'acme-root.pem')
  writeFileSync(authorityFile, authority.pem)
  return {
    proxy,
    authorityFile,
    baseUrl: `https://${serviceHost}${target.pathname}`,
    async close() {
      await proxy.close()
      gateway.closeAllConnections()
      gateway.close()
    },
  }
}
