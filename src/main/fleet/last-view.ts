import { z } from 'zod'
import type { Keychain } from '../store/keychain'
import { lastViewFiles } from '../store/last-view-files'
import { parseKeyId, readKey } from '../store/store-key'
import { storeFiles } from '../store/store-files'

const Section = z.object({
  accounts: z.array(z.object({ id: z.string(), staySignedIn: z.boolean().catch(false) })).min(1),
  selected: z.string().nullable().catch(null),
})

const View = z.looseObject({
  accounts: z.looseObject({ accounts: z.array(z.looseObject({ id: z.string() })) }),
})

/** State of an account while the page waits for main. */
const beforeSignIn = (staysSignedIn: unknown) => ({
  state: staysSignedIn === true ? 'signing-in' : 'signed-out',
  failure: null,
  heldUntil: null,
})

/**
 * Reads the last view of the selected account, as the page needs it before main's modules exist. `section`: settings of
 * accounts. Null if there is none, the keychain lacks the key, or the accounts were changed since. Fails with
 * keychain-unavailable and errors of the system.
 */
export async function readLastView(
  userData: string,
  keychain: Pick<Keychain, 'read'>,
  section: unknown,
): Promise<unknown> {
  const { data: now } = Section.safeParse(section)
  const keyIdText = storeFiles(userData).keyIdText()
  const keyId = keyIdText === undefined ? undefined : parseKeyId(keyIdText)
  const account = now?.accounts.find(({ id }) => id === now.selected) ?? now?.accounts[0]
  const files = lastViewFiles(userData)
  if (!now || !account?.staySignedIn || !keyId || !files.has(account.id)) return null
  const key = await readKey(keychain, keyId)
  const json = key && (await files.read(account.id, key))
  const view = json === undefined ? undefined : View.safeParse(JSON.parse(json)).data
  if (!view) return null
  const { accounts } = view.accounts
  if (accounts.map(({ id }) => id).join() !== now.accounts.map(({ id }) => id).join()) return null
  const unsigned = accounts.map((one) => ({ ...one, ...beforeSignIn(one.staysSignedIn) }))
  return { ...view, accounts: { accounts: unsigned, selected: account.id } }
}
