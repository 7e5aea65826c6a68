import { z } from 'zod'
import { Settings } from './app'

/** Answers that the window needs for its first paint, embedded in its page. Answers of calls replace them. */
export const FirstAnswers = z.object({
  /** Without an account, the only page is the one to connect. */
  withoutAccount: z.boolean(),
  settings: Settings.catch(Settings.parse({})),
  systemLocales: z.array(z.string()),
})
export type FirstAnswers = z.infer<typeof FirstAnswers>

/** First answers in the main process, with the raw section. Holds nothing secret or private. */
export type KnownFirstAnswers = Omit<FirstAnswers, 'settings'> & { readonly settings: unknown }
