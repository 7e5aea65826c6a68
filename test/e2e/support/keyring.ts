import { spawnSync } from 'node:child_process'
import { expect } from '@playwright/test'
import { output, run } from './command'
import { press, type, windows, windowShown } from './screen'

const service = ['service', 'Wheelhouse'] as const
const promptTitle = '^Unlock Login Keyring$'
const collection = '/org/freedesktop/secrets/collection/login'

export interface Entry {
  readonly account: string
  readonly secret: string
}

/** Returns the application's entries in the desktop's keyring as any other program reads them: here secret-tool. */
export const allKeyringEntries = (): readonly Entry[] => {
  // secret-tool writes the secrets to one stream and the attributes to another, and fails without a result.
  const { stdout, stderr } = spawnSync('secret-tool', ['search', '--all', '--unlock', ...service], {
    encoding: 'utf8',
    timeout: 10_000,
  })
  const valuesOf = (name: string) =>
    [...`${stdout}\n${stderr}`.matchAll(new RegExp(`^${name} = (.*)$`, 'gm'))].map(([, value]) => value ?? '')
  const secrets = valuesOf('secret')
  return valuesOf('attribute\\.account').map((account, index) => ({ account, secret: secrets[index] ?? '' }))
}

/** Same as allKeyringEntries, without the keys of the local store, which belong to no account. */
export const keyringEntries = (): readonly Entry[] =>
  allKeyringEntries().filter(({ account }) => !account.startsWith('store/'))

export const clearKeyring = async (): Promise<void> => {
  if (allKeyringEntries().length > 0) await output('secret-tool', 'clear', ...service)
}

/** Locks the keyring of the tests' own desktop session; never a user's. */
export const lockKeyring = async (): Promise<void> => {
  await output(
    'dbus-send',
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.secrets',
    '/org/freedesktop/secrets',
    'org.freedesktop.Secret.Service.Lock',
    `array:objpath:${collection}`,
  )
}

/** The system's own question for the password of the locked keyring. */
export const keyringPrompt = async (): Promise<string> => windowShown('--name', promptTitle)

/** Refuses the question. It grabs the keyboard some time after it is on the screen. */
export const cancelKeyringPrompt = async (): Promise<void> => {
  const prompt = await keyringPrompt()
  await expect
    .poll(async () => {
      if (!(await windows('--name', promptTitle)).includes(prompt)) return 'gone'
      await press('Escape')
      return 'there'
    })
    .toBe('gone')
}

/** Unlocks it like a user: a program asks for it, the system for the password. Does nothing if it is open. */
export const unlockKeyring = async (): Promise<void> => {
  let done = false
  const asked = run('secret-tool', ['store', '--label=unlock', 'wheelhouse', 'unlock'], 'nothing').finally(
    () => (done = true),
  )
  await expect.poll(async () => done || (await windows('--name', promptTitle)).length > 0).toBe(true)
  if (!done) {
    await type(process.env.WHEELHOUSE_KEYRING_PASSWORD ?? '')
    await press('Return')
  }
  await asked
  await output('secret-tool', 'clear', 'wheelhouse', 'unlock')
}
