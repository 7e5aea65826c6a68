import {
  type LastLook,
  largeFile,
  type LookCounts,
  type LookFile,
  type LookGap,
  LookProblem,
  type LookRepository,
} from '../bridge/last-look'
import { dateFormat } from '../locale'
import { bytesText } from './bytes-text'
import type { TranslatePath } from './failure-text'

const exactTime = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })

/** `foreign` makes a text of the machine safe to show, with a limit on its length in characters. */
export interface LookTexts {
  readonly translate: TranslatePath
  readonly foreign: (text: string, limit: number) => string
}

/** Lines of a group that are shown. */
const maxShown = 8

export interface LookLine {
  /** A name of the machine, shown as it is. */
  readonly subject: string
  readonly detail: string
  /** Path on the machine of a file or repository, and whether the repository has commits to push. */
  readonly path?: string
  readonly isPushable?: boolean
}
export interface LookGroup {
  readonly title: string
  readonly lines: readonly LookLine[]
  /** Lines that are left out. */
  readonly more: number
  /** Whether the lines are work, rather than parts that were not read. */
  readonly isWork: boolean
}

/** Returns the reason of a part that was not read: a text of Wheelhouse or of the machine. */
function reasonText(reason: string, { translate, foreign }: LookTexts, path = ''): string {
  const problem = LookProblem.safeParse(reason)
  return problem.success
    ? translate(`lastLook.problems.${problem.data}`, { path: foreign(path, 300) })
    : foreign(reason, 200)
}

function repositoryText(
  { changes, unpushed, tagged, stashes, problem }: LookRepository,
  texts: LookTexts,
): string {
  const { translate } = texts
  const counts = { changes, unpushed, tagged, stashes }
  const parts = (['changes', 'unpushed', 'tagged', 'stashes'] as const).flatMap((key) => {
    const count = counts[key]
    return count === null || count === 0 ? [] : translate(`lastLook.repository.${key}`, { count })
  })
  if (problem !== null)
    parts.push(translate('lastLook.repository.unread', { reason: reasonText(problem, texts) }))
  return parts.join(translate('common.listSeparator'))
}

function fileText({ bytes, at, mount }: LookFile, { translate, foreign }: LookTexts): string {
  const facts = translate('lastLook.file', { size: bytesText(bytes, translate), time: exactTime(at) })
  return mount === null ? facts : `${facts}, ${translate('lastLook.mount', { mount: foreign(mount, 200) })}`
}

/** Returns one line for each command: a training often has a process on each GPU. */
function programLines(
  programs: LastLook['programs'],
  { translate, foreign }: LookTexts,
): readonly LookLine[] {
  const names = programs.map(({ pid, command }) =>
    command === '' ? translate('lastLook.process', { pid }) : foreign(command, 300),
  )
  return [...new Set(names)].map((name) => {
    const count = names.filter((other) => other === name).length
    return { subject: name, detail: count > 1 ? translate('lastLook.processes', { count }) : '' }
  })
}

const gapLine = ({ part, reason, path }: LookGap, texts: LookTexts): LookLine => ({
  subject: texts.translate(`lastLook.parts.${part}`),
  detail: reasonText(reason, texts, path),
})

/** Returns the findings of a look as groups of lines, without empty groups. */
export function lookGroups(
  { repositories, programs, sessions, files, gaps }: LastLook,
  texts: LookTexts,
): readonly LookGroup[] {
  const { translate, foreign } = texts
  const gapsTitle = translate('lastLook.groups.gaps')
  const groups: readonly (readonly [title: string, lines: readonly LookLine[]])[] = [
    [
      translate('lastLook.groups.repositories'),
      repositories.map((repository) => ({
        subject: foreign(repository.path, 300),
        detail: repositoryText(repository, texts),
        path: repository.path,
        isPushable: (repository.unpushed ?? 0) > 0,
      })),
    ],
    [translate('lastLook.groups.programs'), programLines(programs, texts)],
    [
      translate('lastLook.groups.sessions'),
      sessions
        .filter(({ tool }) => tool !== 'job')
        .map(({ tool, name }) => ({ subject: foreign(name, 100), detail: tool })),
    ],
    [
      translate('jobs.title'),
      sessions
        .filter(({ tool }) => tool === 'job')
        .map(({ name }) => ({ subject: foreign(name, 100), detail: '' })),
    ],
    [
      translate('lastLook.groups.files', { count: largeFile.days }),
      files.map((file) => ({
        subject: foreign(file.path, 300),
        detail: fileText(file, texts),
        path: file.path,
      })),
    ],
    [gapsTitle, gaps.map((gap) => gapLine(gap, texts))],
  ]
  return groups
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => ({
      title,
      isWork: title !== gapsTitle,
      lines: lines.slice(0, maxShown),
      more: Math.max(0, lines.length - maxShown),
    }))
}

/** Returns the findings of a look as lines of plain text, each group below its title. Pure. */
export const lookLines = (look: LastLook, texts: LookTexts): readonly string[] =>
  lookGroups(look, texts).flatMap(({ title, lines, more }) => [
    `${title}:`,
    ...lines.map(({ subject, detail }) => `  ${subject}${detail === '' ? '' : ` (${detail})`}`),
    ...(more > 0 ? [`  ${texts.translate('lastLook.more', { count: more })}`] : []),
  ])

/** Returns the numbers of findings of a look as sentences, such as "Found on the machine: 2 sessions"; empty: nothing was found. Pure. */
export function lookCountsText(counts: LookCounts, translate: TranslatePath): string {
  const kinds = ['programs', 'sessions', 'jobs', 'repositories', 'files'] as const
  const found = kinds.flatMap((kind) => {
    const count = counts[kind]
    return count === 0 ? [] : translate(`lastLook.counts.${kind}`, { count })
  })
  if (found.length === 0) return counts.isComplete ? '' : translate('lastLook.nothingFound')
  const text = translate('lastLook.found', { found: found.join(translate('common.listSeparator')) })
  return counts.isComplete
    ? text
    : [text, translate('lastLook.notAll')].join(translate('common.sentenceSeparator'))
}
