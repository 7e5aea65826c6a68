import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import type { Store } from './database'
import { documentTable, eraseAccounts, markForgottenLedgers, withoutAccount } from './document-table'
import { type Copy, keepCopy, movePlain, type PlainPlaces, takePlain } from './plain-leftovers'
import { openPrivateSection, type PrivateSection } from './private-section'
import type { Sections, SettingsStore } from './settings'
import { splitSection } from './split-section'
import type { Database } from './sql'

export interface PrivateDocuments extends Sections {
  /**
   * Removes what is kept of an account: what modules remove by `forget`, and whatever else the encrypted file holds; at
   * the next opening where it cannot be opened now. Fails as `forget` does, and with local-fault.
   */
  forgetAccount(account: AccountId, forget: (account: AccountId) => Promise<void>): Promise<void>
  /** Copies of settings in quarantine and wait in memory, as there is nowhere to encrypt them. */
  readonly copies: {
    list(): readonly Copy[]
    remove(file: string): void
  }
  /** What an older version left in plain text was erased, as there is nowhere to encrypt it. */
  readonly onErase: Subscribe<null>
  close(): void
}

export interface PrivateDocumentsDeps {
  /** The user-data folder. */
  readonly folder: string
  readonly store: Pick<Store, 'file' | 'state' | 'onChange' | 'hasKey' | 'checkpoint'>
  readonly settings: SettingsStore
  readonly report: ReportError
}

/** Accounts whose data are still in the encrypted file, which was locked when they were forgotten. */
const Forgotten = z.object({ accounts: z.array(z.string()).default([]) })

/**
 * What modules keep that is private, in the encrypted file. While that is not open everything is in memory, and what
 * was changed is changed in the file once it opens. What versions up to 0.1.0 wrote in plain text is moved there, or
 * erased where there never was a keychain: it is in memory then.
 */
export function openPrivateDocuments(deps: PrivateDocumentsDeps): PrivateDocuments {
  const { folder, store, settings, report } = deps
  const forgotten = settings.section('forgotten', Forgotten)
  const sections = new Map<string, PrivateSection>()
  const fields: Record<string, readonly string[]> = {}
  const ready = createEmitter<null>()
  const erases = createEmitter<null>()
  const places = (): PlainPlaces => ({ folder, settings, names: [...sections.keys()], fields, report })
  let copies: readonly Copy[] = []
  let opened: Database | undefined
  let isSettled = false

  function open(database: Database): void {
    const erase = movePlain(database, places())
    const { accounts } = forgotten.read()
    if (accounts.length > 0) {
      markForgottenLedgers(database, accounts)
      eraseAccounts(database, accounts)
    }
    const table = documentTable(database)
    for (const section of sections.values()) section.load(table)
    const waited = copies
    for (const copy of waited) keepCopy(table, copy)
    copies = []
    // What is or was erased elsewhere must have reached the disk here. A checkpoint computes the file's digest anew, which takes
    // its time as the list waits.
    if (erase || waited.length > 0 || accounts.length > 0) store.checkpoint()
    opened = database
    for (const section of sections.values()) if (section.isLoaded()) section.loaded()
    if (accounts.length > 0)
      forgotten
        .change((now) => ({ accounts: now.accounts.filter((id) => !accounts.includes(id)) }))
        .catch((error: unknown) => report('store.forgetDocuments', error))
    erase?.().catch((error: unknown) => report('store.eraseDocuments', error))
  }

  /** There may be room by now. */
  function tryAgain(section: PrivateSection, database: Database): void {
    if (section.isLoaded()) return section.writeAgain()
    section.load(documentTable(database))
    if (section.isLoaded()) section.loaded()
  }

  /** Where no key was ever had there is none to wait for. Throws the system's error. */
  function eraseWithoutKey(): void {
    const { kind } = store.state()
    if ((kind !== 'no-keychain' && kind !== 'unsupported') || store.hasKey()) return
    const taken = takePlain(places())
    if (!taken) return
    copies = [
      ...copies.filter(({ file }) => taken.copies.every((copy) => copy.file !== file)),
      ...taken.copies,
    ]
    taken.erase().catch((error: unknown) => report('store.erasePlain', error))
    erases.emit(null)
  }

  function follow(): void {
    const database = store.file()
    try {
      eraseWithoutKey()
      if (database && database !== opened) open(database)
      else if (database) for (const section of sections.values()) tryAgain(section, database)
    } catch (error) {
      report('store.openDocuments', error)
    }
    if (store.state().kind === 'opening' || isSettled) return
    isSettled = true
    ready.emit(null)
  }
  const unfollow = store.onChange(follow)

  const whole: Sections['section'] = (name, schema) => {
    const section = openPrivateSection({
      name,
      schema,
      plain: settings.raw(name),
      isSettled: () => isSettled,
      onSettled: ready.on,
      report,
    })
    sections.set(name, section)
    if (opened) section.load(documentTable(opened))
    return section
  }

  return {
    section: (name, schema, privateFields) => {
      if (privateFields === undefined) return whole(name, schema)
      fields[name] = privateFields
      const documents = { section: whole }
      return splitSection({ settings, documents, onErase: erases.on, report }, name, schema, privateFields)
    },
    copies: {
      list: () => copies,
      remove: (file) => (copies = copies.filter((copy) => copy.file !== file)),
    },
    onErase: erases.on,
    async forgetAccount(account, forget) {
      await forget(account)
      copies = copies.filter(({ text }) => !text.includes(account))
      const plain = [...sections.keys()].filter((name) => settings.raw(name) !== undefined)
      if (plain.length > 0)
        await settings.replaceRaw(
          Object.fromEntries(plain.map((name) => [name, withoutAccount(settings.raw(name), account)])),
        )
      const database = store.file()
      if (database) eraseAccounts(database, [account])
      else await forgotten.change(({ accounts }) => ({ accounts: [...accounts, account] }))
    },
    close: unfollow,
  }
}
