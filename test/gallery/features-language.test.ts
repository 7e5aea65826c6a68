// @vitest-environment happy-dom
import { entries } from './entries'
import { describeLanguage, statesOf } from './words-left'

// Separate from language.test.ts: together they would take as long as all files that are left for the other worker.
describeLanguage(entries.filter(({ name }) => /^(components|features)\//.test(name)).map(statesOf))
