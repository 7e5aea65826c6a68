import { firstAnswersId } from '#shared/bridge/channels'
import { FirstAnswers } from '#shared/bridge/first-answers'

let answers = FirstAnswers.parse({ withoutAccount: false, settings: {}, systemLocales: [], lastView: null })

/** Reads the answers that main wrote into the page (main/desktop/first-answers.ts). Runs before any store exists. */
export function readFirstAnswers(page: Pick<Document, 'getElementById'>): void {
  const text = page.getElementById(firstAnswersId)?.textContent
  if (text) answers = FirstAnswers.parse(JSON.parse(text))
}

/** Returns the settings and accounts of the moment in which main sent the page. */
export const firstAnswers = (): FirstAnswers => answers
