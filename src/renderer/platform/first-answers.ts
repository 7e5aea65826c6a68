import { z } from 'zod'
import { Settings } from '#shared/bridge/app'
import { firstAnswersId } from '#shared/bridge/channels'

const FirstAnswers = z.object({
  withoutAccount: z.boolean(),
  /** A section that breaks the schema counts as none, as in main. */
  settings: Settings.catch(Settings.parse({})),
  systemLocales: z.array(z.string()),
})
let answers: z.infer<typeof FirstAnswers> = {
  withoutAccount: false,
  settings: Settings.parse({}),
  systemLocales: [],
}

/** Takes them from the page that main handed over (main/desktop/first-answers.ts), before any store is made. */
export function readFirstAnswers(page: Pick<Document, 'getElementById'>): void {
  const text = page.getElementById(firstAnswersId)?.textContent
  if (text) answers = FirstAnswers.parse(JSON.parse(text))
}

/** What main knew when it handed over the page. What calls answer takes its place. */
export const firstAnswers = (): z.infer<typeof FirstAnswers> => answers
