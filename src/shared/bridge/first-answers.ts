import { z } from 'zod'
import { AccountsView } from './account'
import { Settings } from './app'
import { LastList } from './fleet'
import { ListViews } from './list-view'

/**
 * Data of the last run for the first page of the selected account. The list has its age; answers of calls and events
 * replace everything.
 */
export const LastView = z.object({
  /** All accounts, as while they sign in. */
  accounts: AccountsView,
  listViews: ListViews,
  lastList: LastList,
})
export type LastView = z.infer<typeof LastView>

/** Answers that the window needs for its first paint, embedded in its page. Answers of calls replace them. */
export const FirstAnswers = z.object({
  /** Without an account, the only page is the one to connect. */
  withoutAccount: z.boolean(),
  settings: Settings.catch(Settings.parse({})),
  systemLocales: z.array(z.string()),
  /** Null if it was not decrypted in time. */
  lastView: LastView.nullable().catch(null),
})
export type FirstAnswers = z.infer<typeof FirstAnswers>

/** First answers in the main process, with raw settings and views. They hold nothing secret, and the page is never stored. */
export type KnownFirstAnswers = Omit<FirstAnswers, 'settings' | 'lastView'> & {
  readonly settings: unknown
  readonly lastView: unknown
}
