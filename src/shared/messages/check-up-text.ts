import type { CheckResult } from '../bridge/check-up'
import type { TranslatePath } from './failure-text'

/** Returns the words of one result, for the window and for reports. */
export const checkText = ({ check, note, verdict }: CheckResult, translate: TranslatePath) => ({
  title: translate(`checkUp.checks.${check}`),
  verdict: translate(`checkUp.verdicts.${verdict}`),
  note: note === null ? null : translate(`checkUp.notes.${note}`),
})
