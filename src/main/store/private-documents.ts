import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import type { Store } from './database'
import { documentTable, eraseAccounts, markForgottenLedgers } from './document-table'
import { openPrivateSection, type PrivateSection } from './private-section'
import type { Sections, SettingsStore } from './settings'
import { splitSection } from './split-section'
import type { Database } from './sql'

export interface PrivateDocuments extends Sections {
  /**
   * Removes the data of an account: `forget` removes the data of modules, then the encrypted file is cleaned, or at its
   * next opening if it is closed now. Fails as `forget` does, and with local-fault.
   */
  forgetAccount(account: AccountId, forget: (account: AccountId) => Promise<void>): Promise<void>
  close(): void
}

export interface PrivateDocumentsDeps {
  readonly store: Pick<Store, 'file' | 'state' | 'onChange' | 'checkpoint'>
  readonly settings: SettingsStore
  readonly report: ReportError
}

/** Accounts that were forgotten while the encrypted file was closed. */
const Forgotten = z.object({ accounts: z.array(z.string()).default([]) })

/**
 * Opens the private documents of modules in the encrypted file. While the file is closed they are in memory; changes
 * are applied to the file when it opens.
 */
export function openPrivateDocuments(deps: PrivateDocumentsDeps): PrivateDocuments {
  const { store, settings, report } = deps
  const forgotten = settings.section('forgotten', Forgotten)
  const sections = new Map<string, PrivateSection>()
  const ready = createEmitter<null>()
  let opened: Database | undefined
  let isSettled = false

  function open(database: Database): void {
    const { accounts } = forgotten.read()
    if (accounts.length > 0) {
      markForgottenLedgers(database, accounts)
      eraseAccounts(database, accounts)
    }
    const table = documentTable(database)
    for (const section of sections.values()) section.load(table)
    // The removal must reach the disk before the accounts leave `forgotten`. A checkpoint hashes the whole file,
    // which delays the list of machines.
    if (accounts.length > 0) store.checkpoint()
    opened = database
    for (const section of sections.values()) if (section.isLoaded()) section.loaded()
    if (accounts.length > 0)
      forgotten
        .change((now) => ({ accounts: now.accounts.filter((id) => !accounts.includes(id)) }))
        .catch((error: unknown) => report('store.forgetDocuments', error))
  }

  /** Retries a section after a failed read or write, such as on a full disk. */
  function tryAgain(section: PrivateSection, database: Database): void {
    if (section.isLoaded()) return section.writeAgain()
    section.load(documentTable(database))
    if (section.isLoaded()) section.loaded()
  }

  function follow(): void {
    const database = store.file()
    try {
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
      const documents = { section: whole }
      return splitSection({ settings, documents, report }, name, schema, privateFields)
    },
    async forgetAccount(account, forget) {
      await forget(account)
      const database = store.file()
      if (database) eraseAccounts(database, [account])
      else await forgotten.change(({ accounts }) => ({ accounts: [...accounts, account] }))
    },
    close: unfollow,
  }
}
