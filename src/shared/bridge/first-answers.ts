import { z } from 'zod'
import { Settings } from './app'

/** What the window would ask for before its first paint, handed over with its page. What calls answer takes its place. */
export const FirstAnswers = z.object({
  /** Nobody has an account, so that the only page is the one to connect from. */
  withoutAccount: z.boolean(),
  /** A section of the file that breaks the schema counts as none, as in main. */
  settings: Settings.catch(Settings.parse({})),
  systemLocales: z.array(z.string()),
})
export type FirstAnswers = z.infer<typeof FirstAnswers>

/** As main knows them: the section as the file has it, with nothing secret or private in it. */
export type KnownFirstAnswers = Omit<FirstAnswers, 'settings'> & { readonly settings: unknown }
