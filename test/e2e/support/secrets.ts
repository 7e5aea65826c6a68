import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { deriveSecrets } from '../../../src/sandbox/secrets'
import { allKeyringEntries, keyringEntries } from './keyring'
import type { Sandbox } from './sandbox'

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

export interface Secret {
  readonly what: string
  readonly value: string
}

const Machines = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      fixed_ip: z.string().nullish(),
      login: z.object({ password: z.string().optional() }),
    }),
  ),
})

const json = { 'Content-Type': 'application/json' }

const nameOfMachine = 'name of a machine'
const addressOfMachine = 'address of a machine'
/** Private data is shown, and a terminal starts with it; on disk it is encrypted. */
export const isSecret = ({ what }: Secret): boolean => what !== nameOfMachine && what !== addressOfMachine
/** Place of the sandbox's cloud, in which names are not private. */
const practiceWorld = /[\\/]sandbox[\\/]world\.json[^\\/]*$/

/** The service's machines, requested with the headers of a signed-in client. */
const machinesOf = async (baseUrl: string, headers: Readonly<Record<string, string>>) => {
  const answer = await fetch(`${baseUrl}/virtual-machines?limit=1000`, { headers: { ...json, ...headers } })
  return Machines.parse(await answer.json()).data
}
type Machines = Awaited<ReturnType<typeof machinesOf>>

const passwordsOf = (machines: Machines): readonly Secret[] =>
  machines.flatMap(({ name, login }) =>
    login.password ? [{ what: `password of ${name}`, value: login.password }] : [],
  )

/** Private, but not secret: encrypted on disk or absent. Several may share the service's own address. */
const privateOf = (machines: Machines): readonly Secret[] =>
  machines.flatMap(({ name, fixed_ip: address }) => [
    { what: nameOfMachine, value: name },
    ...(address && address !== '127.0.0.1' ? [{ what: addressOfMachine, value: address }] : []),
  ])

/** All secret and private data of a test service. */
export const secretsOf = async (service: Sandbox): Promise<readonly Secret[]> => {
  const machines = await machinesOf(service.baseUrl, { Authorization: `Bearer ${service.apiToken}` })
  return [
    { what: 'password', value: service.password },
    { what: 'digest of the password', value: md5(service.password) },
    { what: 'API token', value: service.apiToken },
    { what: 'control key', value: service.controlKey },
    ...passwordsOf(machines),
    ...privateOf(machines),
  ]
}

const ApiTokens = z.object({ data: z.array(z.object({ name: z.string(), token: z.string() })) })

/** The values of all API tokens, straight from the service. */
export const tokenValues = async ({ baseUrl, apiToken }: Sandbox): Promise<readonly Secret[]> => {
  const answer = await fetch(`${baseUrl}/api-tokens`, { headers: { Authorization: `Bearer ${apiToken}` } })
  return ApiTokens.parse(await answer.json()).data.map(({ name, token }) => ({
    what: `token ${name}`,
    value: token,
  }))
}

const Tokens = z.object({ data: z.object({ access_token: z.string(), refresh_token: z.string() }) })

/** All secrets of the application's own sandbox, derived like there from the keyring's entry. */
export const secretsOfOwnSandbox = async (account: {
  baseUrl: string
  username: string | null
}): Promise<readonly Secret[]> => {
  const kept = keyringEntries().find((entry) => entry.account === 'sandbox/secret')
  if (!kept) throw new Error('the keyring has no secret of the sandbox')
  const { password, passwordDigest, controlKey } = deriveSecrets(kept.secret)
  const login = await fetch(`${account.baseUrl}/authenticate/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: account.username, password: passwordDigest }),
  })
  const { data } = Tokens.parse(await login.json())
  const machines = await machinesOf(account.baseUrl, {
    Authorization: `Bearer ${data.access_token}`,
    'refresh-token': data.refresh_token,
  })
  return [
    { what: 'password', value: password },
    { what: 'digest of the password', value: passwordDigest },
    { what: 'control key', value: controlKey },
    // Its cloud is plain on disk: names are not private there.
    ...passwordsOf(machines),
  ]
}

/** User names are stored with their digests, but are no secrets: a short name appears in other words. */
export const secretsInKeyring = (): readonly Secret[] =>
  allKeyringEntries()
    // Main's short-lived test entry is no secret; during its removal it may be listed without a value.
    .filter(({ account, secret }) => !/(?:\/username|\bcheck)$/.test(account) && secret !== '')
    .map(({ account, secret }) => ({ what: `keyring entry ${account}`, value: secret }))

/** Any signed JSON Web Token. */
const jwt = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/

/** The forms in which a program may write a text. */
const formsOf = (value: string): readonly Buffer[] => {
  const plain = Buffer.from(value, 'utf8')
  return [
    plain,
    Buffer.from(value, 'utf16le'),
    Buffer.from(plain.toString('base64').replace(/=+$/, '')),
    Buffer.from(encodeURIComponent(value)),
  ]
}

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Returns the secrets in `content`, in any of their forms, and any session token. */
export const secretsIn = (content: Buffer, secrets: readonly Secret[]): readonly string[] => [
  ...secrets
    .filter(({ value }) => formsOf(value).some((form) => content.includes(form)))
    .map(({ what }) => what),
  ...(jwt.test(content.toString('latin1')) ? ['a session token'] : []),
]

/** Secrets in any file under a folder, as `file: what`. */
export const secretsUnder = (folder: string, secrets: readonly Secret[]): readonly string[] =>
  filesUnder(folder).flatMap((file) => {
    const sought = practiceWorld.test(file) ? secrets.filter(isSecret) : secrets
    return secretsIn(readFileSync(file), sought).map((what) => `${file}: ${what}`)
  })

const parentOf = (process: string): string =>
  /^PPid:\s*(\d+)$/m.exec(readFileSync(join('/proc', process, 'status'), 'utf8'))?.[1] ?? ''

/** A process and its descendants, by id; one may end while they are read. */
const processesOf = (root: string): readonly string[] => {
  const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  const below = (parents: readonly string[]): readonly string[] => {
    const children = all.filter((process) => {
      try {
        return parents.includes(parentOf(process))
      } catch {
        return false
      }
    })
    return children.length === 0 ? parents : [...parents, ...below(children)]
  }
  return below([root])
}

/**
 * Secrets in the arguments, which every user of the computer can read, and in the environment of a process and its
 * descendants. Checked only on Linux.
 */
export const secretsInProcesses = (
  root: number | undefined,
  secrets: readonly Secret[],
): readonly string[] => {
  if (process.platform !== 'linux' || root === undefined || !existsSync(`/proc/${root}`)) return []
  const sought = secrets.filter(isSecret)
  return processesOf(String(root)).flatMap((id) =>
    ['cmdline', 'environ'].flatMap((name) => {
      const file = join('/proc', id, name)
      try {
        return secretsIn(readFileSync(file), sought).map((what) => `${file}: ${what}`)
      } catch {
        return []
      }
    }),
  )
}
