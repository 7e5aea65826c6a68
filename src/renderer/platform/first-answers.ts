import { firstAnswersId } from '#shared/bridge/channels'
import { FirstAnswers } from '#shared/bridge/first-answers'

let answers = FirstAnswers.parse({ withoutAccount: false, settings: {}, systemLocales: [] })

/** Takes them from the page that main handed over (main/desktop/first-answers.ts), before any store is made. */
export function readFirstAnswers(page: Pick<Document, 'getElementById'>): void {
  const text = page.getElementById(firstAnswersId)?.textContent
  if (text) answers = FirstAnswers.parse(JSON.parse(text))
}

/** What main knew when it handed over the page. */
export const firstAnswers = (): FirstAnswers => answers
