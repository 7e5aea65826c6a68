import type { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import {
  type networkAccessCalls,
  type networkAccessEvents,
  type NetworkAccessView,
  ProxyChoice,
} from '#shared/bridge/network-access'
import { FailureError, type InvalidReason } from '#shared/failure'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { fileFailure } from '../core/failure-of'
import { defineModule, type EventsOf } from '../core/module'
import type { ReportError } from '../core/report-error'
import type { Keychain } from '../store/keychain'
import type { Sections } from '../store/settings'
import { authorityName, certificatesIn, systemAuthorities } from './authorities'
import { environmentProxy, fixedProxy, proxyAddress, type ProxyConfig } from './proxy-config'
import { createProxySignIn } from './proxy-sign-in'
import { isTrustedChain } from './trusted-chain'

export interface NetworkAccessDeps {
  readonly settings: Sections
  readonly keychain: Pick<Keychain, 'read' | 'write' | 'remove'>
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly clock: Pick<Clock, 'now'>
  chooseAuthorities(): Promise<string | null>
  readonly report: ReportError
}

const NetworkSettings = z.object({
  proxy: ProxyChoice.default({ kind: 'system' }),
  /** Stores the certificates themselves, since the file may disappear. */
  authorities: z.object({ file: z.string(), pem: z.string() }).nullable().default(null),
})

const invalid = (field: string, reason: InvalidReason): FailureError =>
  new FailureError({ kind: 'invalid-input', field, reason })

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const fileOf = (text: string): string => fileURLToPath(text.startsWith('file:') ? text : pathToFileURL(text))

/** Upper bound on the size of a PAC file: Chromium's own limit (kDefaultMaxResponseBytes). */
const maxScriptBytes = 1024 * 1024

/** Reads a script. Throws if it is too large, or a device or pipe, which may never end. */
async function readScript(path: string): Promise<string> {
  const info = await stat(path)
  if (!info.isFile() || info.size > maxScriptBytes) throw new RangeError(path)
  return readFile(path, 'utf8')
}

/** Creates the configuration of a PAC address. Chromium reads no PAC files, so they are embedded. Fails with invalid-input (pac). */
async function pacConfig(address: string): Promise<ProxyConfig> {
  if (isWebAddress(address)) {
    const { username, password } = new URL(address)
    // Passwords do not belong in the settings.
    if (username + password !== '') throw invalid('pac', 'malformed')
    return { mode: 'pac_script', pacScript: address }
  }
  const script = await readScript(fileOf(address)).catch(() => {
    throw invalid('pac', 'not-a-file')
  })
  const type = 'application/x-ns-proxy-autoconfig'
  return { mode: 'pac_script', pacScript: `data:${type},${encodeURIComponent(script)}` }
}

export function createNetworkAccess(deps: NetworkAccessDeps) {
  const { settings, keychain, platform, env, clock, chooseAuthorities, report } = deps
  const section = settings.section('network', NetworkSettings)
  const changes = createEmitter<EventPayload<'networkAccess.changed'>>()
  const routeChanges = createEmitter<null>()
  const environment = environmentProxy(env)
  const fromEnvironment = environment?.kind === 'proxy' ? environment : null
  const systemAuthorityList = systemAuthorities(platform, env)
  const addedAuthorities = (): readonly X509Certificate[] =>
    certificatesIn(Buffer.from(section.read().authorities?.pem ?? ''))

  const signIn = createProxySignIn({
    keychain,
    environmentCredential: (proxy) =>
      fromEnvironment?.address.proxy === proxy ? fromEnvironment.address.credential : null,
    changed: () => changes.emit(view()),
    now: clock.now,
    report,
  })

  function view(): NetworkAccessView {
    const { proxy, authorities } = section.read()
    return {
      proxy,
      environment: fromEnvironment?.address.proxy ?? null,
      malformedVariable: environment?.kind === 'malformed' ? environment.variable : null,
      authorities: authorities && { file: authorities.file, names: addedAuthorities().map(authorityName) },
      question: signIn.question(),
      signIns: signIn.signIns(),
    }
  }

  async function change(update: Partial<z.infer<typeof NetworkSettings>>): Promise<NetworkAccessView> {
    const writing = section.change((before) => ({ ...before, ...update }))
    routeChanges.emit(null)
    changes.emit(view())
    await writing
    return view()
  }

  /** Returns the proxy configuration of the settings. Fails with invalid-input (proxy, pac). */
  async function config(choice = section.read().proxy): Promise<ProxyConfig> {
    switch (choice.kind) {
      case 'none':
        return { mode: 'direct' }
      case 'system':
        return fromEnvironment?.config ?? { mode: 'system' }
      case 'manual': {
        const address = proxyAddress(choice.address)
        if (address === null || address.credential !== null) throw invalid('proxy', 'malformed')
        return fixedProxy(address)
      }
      case 'pac':
        return pacConfig(choice.address.trim())
    }
  }

  async function addAuthorities(): Promise<NetworkAccessView> {
    const path = await chooseAuthorities()
    if (path === null) return view()
    const content = await readFile(path).catch((error: unknown) => {
      throw fileFailure(error, 'networkAccess.authorities')
    })
    const certificates = certificatesIn(content)
    if (certificates.length === 0) throw invalid('authorities', 'malformed')
    const pem = certificates.map((certificate) => certificate.toString()).join('')
    return change({ authorities: { file: basename(path), pem } })
  }

  const handlers: HandlersOf<typeof networkAccessCalls> = {
    'networkAccess.read': view,
    'networkAccess.useProxy': async ({ proxy }) => {
      await config(proxy)
      return change({ proxy })
    },
    'networkAccess.addAuthorities': addAuthorities,
    'networkAccess.removeAuthorities': () => change({ authorities: null }),
    'networkAccess.ask': ({ proxy }) => signIn.reopen(proxy),
    'networkAccess.signIn': ({ proxy, username, password, remember }) =>
      signIn.signIn(proxy, { username, password }, remember),
    'networkAccess.decline': ({ proxy }) => signIn.decline(proxy),
    'networkAccess.signOut': async ({ proxy }) => {
      await signIn.signOut(proxy)
      routeChanges.emit(null)
    },
  }
  const events: EventsOf<typeof networkAccessEvents> = { 'networkAccess.changed': changes.on }

  return defineModule({
    handlers,
    events,
    forgetAccount: 'keeps-nothing',
    view,
    config,
    /** Returns the credentials for a proxy's challenge, or null. May wait for the user. */
    credentials: signIn.credentials,
    heldUntil: signIn.heldUntil,
    /** Whether an added authority signed a server's certificate that Chromium rejects. `chain`: PEM, the server's first. */
    vouchesFor: (host: string, chain: readonly string[]): boolean =>
      isTrustedChain(
        host,
        chain.flatMap((pem) => certificatesIn(Buffer.from(pem))),
        [...systemAuthorityList, ...addedAuthorities()],
        clock.now(),
      ),
    /** Emits when existing connections are outdated. */
    onRouteChange: routeChanges.on,
    close: signIn.close,
  })
}
export type NetworkAccess = ReturnType<typeof createNetworkAccess>
