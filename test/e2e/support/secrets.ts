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
  data: z.array(z.object({ name: z.string(), login: z.object({ password: z.string().optional() }) })),
})

const json = { 'Content-Type': 'application/json' }

const nameOfMachine = 'name of a machine'
/** Where the practice service keeps its made-up world, in which names are not private. */
const practiceWorld = /[\\/]sandbox[\\/]world\.json[^\\/]*$/

/** The service's machines, asked with the headers of a signed-in client. */
const machinesOf = async (baseUrl: string, headers: Readonly<Record<string, string>>) => {
  const answer = await fetch(`${baseUrl}/virtual-machines?limit=1000`, { headers: { ...json, ...headers } })
  return Machines.parse(await answer.json()).data
}
type Machines = Awaited<ReturnType<typeof machinesOf>>

const passwordsOf = (machines: Machines): readonly Secret[] =>
  machines.flatMap(({ name, login }) =>
    login.password ? [{ what: `password of ${name}`, value: login.password }] : [],
  )

/** Not secret, but private: they lie on the disk encrypted or not at all. */
const namesOf = (machines: Machines): readonly Secret[] =>
  machines.map(({ name }) => ({ what: nameOfMachine, value: name }))

/** Everything secret or private about a service of the tests. */
export const secretsOf = async (service: Sandbox): Promise<readonly Secret[]> => {
  const machines = await machinesOf(service.baseUrl, { Authorization: `Bearer ${service.apiToken}` })
  return [
    { what: 'password', value: service.password },
    { what: 'digest of the password', value: md5(service.password) },
    { what: 'API token', value: service.apiToken },
    { what: 'control key', value: service.controlKey },
    ...passwordsOf(machines),
    ...namesOf(machines),
  ]
}

const Tokens = z.object({ data: z.object({ access_token: z.string(), refresh_token: z.string() }) })

/** Everything secret about the sandbox that the application runs by itself, derived as it does from the keyring's entry. */
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
    // Its made-up world lies on the disk as it is: names are not private there.
    ...passwordsOf(machines),
  ]
}

/** User names are beside their digests, but are no secrets: a short one stands in other words. */
export const secretsInKeyring = (): readonly Secret[] =>
  allKeyringEntries()
    .filter(({ account }) => !account.endsWith('/username'))
    .map(({ account, secret }) => ({ what: `keyring entry ${account}`, value: secret }))

/** A signed JSON Web Token, whoever it belongs to. */
const jwt = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/

/** The forms in which a program may come to write a text. */
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

/** What of the secrets stands in `content`, in any of their forms, and any session token. */
export const secretsIn = (content: Buffer, secrets: readonly Secret[]): readonly string[] => [
  ...secrets
    .filter(({ value }) => formsOf(value).some((form) => content.includes(form)))
    .map(({ what }) => what),
  ...(jwt.test(content.toString('latin1')) ? ['a session token'] : []),
]

/** Secrets in any file under a folder, as `file: what`. */
export const secretsUnder = (folder: string, secrets: readonly Secret[]): readonly string[] =>
  filesUnder(folder).flatMap((file) => {
    const sought = practiceWorld.test(file) ? secrets.filter(({ what }) => what !== nameOfMachine) : secrets
    return secretsIn(readFileSync(file), sought).map((what) => `${file}: ${what}`)
  })

/** Secrets in the arguments that any running program was started with, readable by every user of the computer. */
export const secretsInCommandLines = (secrets: readonly Secret[]): readonly string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((process) => {
      const file = join('/proc', process, 'cmdline')
      // A program may end while the list is read.
      return existsSync(file) ? secretsIn(readFileSync(file), secrets).map((what) => `${file}: ${what}`) : []
    })
