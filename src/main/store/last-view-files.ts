import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountId } from '#shared/bridge/account'
import { isMissingFile } from '../core/failure-of'
import { replaceFile } from './atomic-file'
import { seal, unseal } from './sealed-file'

const suffix = '.view'

/**
 * Files with each account's last view (shared/bridge/first-answers.ts) as JSON, encrypted. A start reads one before it
 * evaluates the database and the modules.
 */
export function lastViewFiles(userData: string) {
  const folder = join(userData, 'last-views')
  const nameOf = (account: AccountId): string => account + suffix
  return {
    has: (account: AccountId): boolean => existsSync(join(folder, nameOf(account))),
    /** Returns the JSON; undefined if there is none that this key opens. */
    async read(account: AccountId, key: string): Promise<string | undefined> {
      const name = nameOf(account)
      try {
        return unseal(key, name, await readFile(join(folder, name)))
      } catch (error) {
        if (isMissingFile(error)) return undefined
        throw error
      }
    },
    async write(account: AccountId, key: string, json: string): Promise<void> {
      const name = nameOf(account)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await replaceFile(join(folder, name), (write) => write(seal(key, name, json)))
    },
    /** Deletes the files of all other accounts, even of an unknown name. */
    async keepOnly(accounts: ReadonlySet<AccountId>): Promise<void> {
      const kept = new Set([...accounts].map(nameOf))
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissingFile(error)) return []
        throw error
      })
      const others = names.filter((name) => !kept.has(name))
      const removed = await Promise.allSettled(
        others.map((name) => rm(join(folder, name), { recursive: true, force: true })),
      )
      const failed = removed.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
  }
}
