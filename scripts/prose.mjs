// Lists sentences that do not read as plain technical English (docs/words.md), in comments, test titles and pages:
// node scripts/prose.mjs [FILE OR FOLDER…]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Longest sentence, in words. */
const mostWords = 40

/** Sentence patterns by the rule that they break (docs/words.md, “Sentences”). */
const patterns = {
  'subject first': /^(?:what|of|those|that which|whoever|whatever|where|each (?:after|before|of which))\b/i,
  'name the noun':
    /\b(?:(?:those|that|ones?) (?:that|which|who)|(?:those|that|ones) of|what (?:is|was|are|were|it|they|a|an|the)|the others|the other(?=$|[.,;:)]| (?:is|was|has|had|can|does|may|must|to|of|in|on|at|by|with|and|or)\b))(?![\w-])/i,
  'if or when': /(?:[,;:] |\b(?:also|even|only|except) )where\b(?! to\b)/i,
  'verbs of speech': /\b(?:says?|said|tells?|heard|meant|(?:is|are|was|were|been) (?:said|there))\b/i,
  'usual words': /\b(?:the person|persons?'s?|anew|afresh|beside|meanwhile|alone|stands|lies)\b/i,
  'one idea': new RegExp(String.raw`(?:\S+\s+){${String(mostWords)},}\S`),
}

/** Removes code, addresses and quoted text, which keep their own words. */
const withoutQuotes = (/** @type {string} */ text) =>
  text
    .replaceAll(/`[^`]*`/g, 'x')
    .replaceAll(/"[^"\n]*"|“[^”]*”/g, 'x')
    .replaceAll(/https?:\S+/g, 'x')
    .replaceAll(/\]\([^)]*\)/g, ']')

const sentencesOf = (/** @type {string} */ text) =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.;!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** Returns each block of comment lines, without its marks. */
function commentsOf(/** @type {string} */ text) {
  const blocks = text.match(/\/\*\*?[\s\S]*?\*\/|<!--[\s\S]*?-->|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm) ?? []
  return blocks
    .filter((block) => !/^\s*\/\/ (?:@vitest|eslint|oxlint|prettier)/.test(block))
    .map((block) =>
      block
        .replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x')
        .replaceAll(/@\w+(?: x)?(?: \[?[\w.]+\]?)?/g, '. x')
        .replaceAll(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/+|<!--)|\*\/|-->/gm, ' '),
    )
}

/** Returns the titles of tests and groups of tests. */
const titlesOf = (/** @type {string} */ text) =>
  [
    ...text.matchAll(
      /(?:\b(?:it|test|describe)(?:\.\w+)*|^\s*\]\s*(?:as const)?\)|\)\)?)\(\s*(?:'((?:[^'\\\n]|\\.)+)'|`([^`]+)`)\s*,\s*(?:async\b|\(|\{)/gm,
    ),
  ].map(([, single, template]) => single ?? template ?? '')

/** Returns the paragraphs, list items and table cells of a page, without its code. */
const paragraphsOf = (/** @type {string} */ text) =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^ {4}\S.*$/gm, '')
    .replaceAll(/^#+ .*$/gm, '')
    // Titles of tests that a page quotes are checked in the tests.
    .replaceAll(/^ *- `\S+\.(?:test|spec)\.ts`: .*$/gm, '')
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) |\||^#+ /m)

/** Returns the sentences of a file that break a rule, each with the rule; `file` is its path. */
export function oddSentences(/** @type {string} */ file, /** @type {string} */ text) {
  const parts = file.endsWith('.md')
    ? paragraphsOf(text)
    : [...commentsOf(text), ...(/\.(?:test|spec)\.ts$/.test(file) ? titlesOf(text) : [])]
  return parts.flatMap((part) =>
    sentencesOf(withoutQuotes(part)).flatMap((sentence) => {
      const rule = Object.entries(patterns).find(([, pattern]) => pattern.test(sentence))?.[0]
      return rule === undefined ? [] : [{ rule, sentence }]
    }),
  )
}

/** Returns the tracked source files and pages below `paths`. */
export const proseFiles = (/** @type {readonly string[]} */ paths) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...paths], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(?:ts|mjs|js|vue|md)$/.test(file) && file !== 'CHANGELOG.md')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  let count = 0
  for (const file of proseFiles(process.argv.slice(2)))
    for (const { rule, sentence } of oddSentences(file, readFileSync(file, 'utf8'))) {
      console.log(`${file}: ${sentence} (${rule})`)
      count += 1
    }
  console.log(String(count))
}
