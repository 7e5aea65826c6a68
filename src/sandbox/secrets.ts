import { createHash, createHmac } from 'node:crypto'
import { openSshKeyPair, type KeyPair } from './openssh-key'

/** Secrets of a sandbox. They are derived from one secret, so that the data file contains none. */
export interface Secrets {
  readonly password: string
  /** MD5 hex digest of the password, as the login requires (api-spec.md §4). */
  readonly passwordDigest: string
  readonly controlKey: string
  readonly jwtKey: Uint8Array
  readonly identity: KeyPair
  apiToken(id: string): string
  machinePassword(id: string): string
  consolePassword(id: string): string
  /** Returns a private host key in OpenSSH's format, by the machine's id or another fixed label. */
  hostKey(label: string): string
}

/** Derives all secrets. `secret`: hex. */
export function deriveSecrets(secret: string): Secrets {
  const root = Buffer.from(secret, 'hex')
  const derive = (purpose: string, label = ''): Buffer =>
    createHmac('sha256', root).update(`wheelhouse-sandbox/${purpose}/${label}`).digest()
  const text = (purpose: string, length: number, label = ''): string =>
    derive(purpose, label)
      .toString('base64')
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(0, length)
  const password = text('password', 20)
  return {
    password,
    passwordDigest: createHash('md5').update(password).digest('hex'),
    controlKey: derive('control-key').toString('hex'),
    jwtKey: derive('jwt-key'),
    identity: openSshKeyPair(derive('identity'), 'sandbox-key'),
    apiToken: (id) => `sbx_${derive('api-token', id).toString('hex').slice(0, 48)}`,
    machinePassword: (id) => text('machine-password', 16, id),
    consolePassword: (id) => text('console-password', 12, id),
    hostKey: (label) => openSshKeyPair(derive('host-key', label), 'host-key').privateKey,
  }
}
