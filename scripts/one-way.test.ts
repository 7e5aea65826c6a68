import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => /\.(ts|vue)$/.test(file) && !/\.(test|bench|fixture|d)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** A pattern with a better alternative: the files that may use it, and an example for each pattern. */
interface Rule {
  readonly patterns: readonly RegExp[]
  readonly allowed: (file: string) => boolean
  readonly examples: readonly string[]
}

const rules: Readonly<Record<string, Rule>> = {
  'no module calls the handler of another: it has methods': {
    patterns: [/\.handlers\s*(\?\.)?\s*\[/, /<\w+, [^>]*'handlers'/, /\{[^{}=]*\bhandlers\b[^{}=]*\}\s*=\s/],
    allowed: (file) => file.startsWith('src/main/core/'),
    examples: [
      "volumes.handlers['volumes.snapshot']({ account })",
      "Pick<Volumes, 'onChange' | 'handlers'>",
      'const { handlers } = volumes',
    ],
  },
  'the key of a resource of an account is made by resourceKey alone': {
    patterns: [/\$\{(\w+\.)?account(\.id)?\}\//i, /startsWith\(resourceKey\(/],
    allowed: (file) => file === 'src/shared/resource-key.ts',
    examples: ['`${query.account}/${query.machine}`', "key.startsWith(resourceKey(account, ''))"],
  },
  'page sizes stand in shared/page-sizes': {
    patterns: [/\b(pageSize|perPage|pageLength|entriesPerPage)\w* = [\d_]+\b/i, /readAll\([^;\n]*, [\d_]+\)/],
    allowed: (file) => file.startsWith('src/sandbox/'),
    examples: ['export const pageSize = 1_000', 'readAll((page) => list(page), 100)'],
  },
  'all polling is main’s: no page reads because time has passed': {
    patterns: [/watch\(\s*(\[[^\]]*)?\b(minute|now)\b(?!\.)[^)]*,/, /\bsetInterval\(/],
    allowed: (file) => !file.startsWith('src/renderer/') || file === 'src/renderer/platform/clock.ts',
    examples: ['watch([inView, minute, () => props.id], look)', 'timer = setInterval(read, 60_000)'],
  },
  'what main attempts has words: its failures are made by core/failure-of': {
    patterns: [/\{[^{}]*\bfailureOf\b[^{}]*\} from '#shared\/failure'/],
    // A failure on screen was put into words, or is inspected and never shown; the contract names streams.
    allowed: (file) =>
      !file.startsWith('src/main/') ||
      /\/(failure-of|serve-stream|page-walk|page-limits|open-window)\.ts$/.test(file),
    examples: ["import { type Failure, failureOf } from '#shared/failure'"],
  },
  'several things are watched as several sources: a list of them is another each time': {
    patterns: [/\bwatch\(\s*\(\) => \[(?!\.\.\.)/],
    allowed: (file) => !file.startsWith('src/renderer/'),
    examples: ['watch(() => [props.account, props.machine.id] as const, look)'],
  },
  'the end of a signal is awaited by core/on-abort': {
    patterns: [/EventListener\('abort'/, /\baddAbortSignal\(/],
    // A start-up request with its own signal loads no other module.
    allowed: (file) =>
      !file.startsWith('src/main/') || /\/(core\/on-abort|desktop\/service-answer)\.ts$/.test(file),
    examples: ["signal?.addEventListener('abort', stop)", 'addAbortSignal(signal, stream)'],
  },
  'the signatures of a clock are those of Clock': {
    patterns: [
      /\bnow(: \(\) =>|\(\):) number\b/,
      /\bafter(: )?\(seconds: number, \w+: \(\) => void\)(:| =>) \(/,
    ],
    allowed: (file) => !file.startsWith('src/main/') || file === 'src/main/core/clock.ts',
    examples: ['readonly now: () => number', 'after: (seconds: number, task: () => void) => () => void'],
  },
  'the time zone of the computer is read by systemCalendar': {
    patterns: [/\bresolvedOptions\(\)\.timeZone/],
    allowed: (file) => file === 'src/shared/money/calendar.ts',
    examples: ['new Intl.DateTimeFormat().resolvedOptions().timeZone'],
  },
  'stores follow the accounts through usePerAccount alone': {
    patterns: [/\.all\.map\(\(\{ id \}\) => id\)/, /shallowReactive\(\s*new Map<(AccountId|string),/],
    // A job belongs to no account, and ends automatically; a pane ends with its terminal.
    allowed: (file) => !/^src\/renderer\/stores\/(?!(per-account|billing-jobs|terminals)\.ts)/.test(file),
    examples: [
      'watch(() => accounts.all.map(({ id }) => id), load)',
      'const lists = shallowReactive(new Map<AccountId, List>())',
    ],
  },
}

it.each(Object.entries(rules))('%s', (_name, { patterns, allowed, examples }) => {
  expect(patterns.filter((pattern, at) => !pattern.test(examples[at] ?? ''))).toEqual([])
  const broken = ({ file, text }: (typeof sources)[number]): readonly string[] =>
    patterns.filter((pattern) => pattern.test(text)).map((pattern) => `${file}: ${pattern.source}`)
  expect(sources.filter(({ file }) => !allowed(file)).flatMap(broken)).toEqual([])
})
