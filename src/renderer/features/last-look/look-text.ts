import {
  type LastLook,
  largeFile,
  type LookFile,
  type LookGap,
  LookProblem,
  type LookRepository,
} from '#shared/bridge/last-look'
import { bytesText } from '#shared/messages/bytes-text'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'
import { exactTime } from '../../platform/time'

/** Lines of a group that are shown. */
const maxShown = 8

interface LookLine {
  /** A name of the machine, shown as it is. */
  readonly subject: string
  readonly detail: string
}
export interface LookGroup {
  readonly title: string
  readonly lines: readonly LookLine[]
  /** Lines that are left out. */
  readonly more: number
}

/** Returns the reason of a part that was not read: a text of Wheelhouse or of the machine. */
function reasonText(reason: string): string {
  const problem = LookProblem.safeParse(reason)
  return problem.success ? t(`lastLook.problems.${problem.data}`) : foreignText(reason, 200)
}

function repositoryText({ changes, unpushed, stashes, problem }: LookRepository): string {
  const counts = { changes, unpushed, stashes }
  const parts = (['changes', 'unpushed', 'stashes'] as const).flatMap((key) => {
    const count = counts[key]
    return count === null || count === 0 ? [] : t(`lastLook.repository.${key}`, { count }, count)
  })
  if (problem !== null) parts.push(t('lastLook.repository.unread', { reason: reasonText(problem) }))
  return parts.join(t('common.listSeparator'))
}

function fileText({ bytes, at, mount }: LookFile): string {
  const facts = t('lastLook.file', { size: bytesText(bytes, tPath), time: exactTime(at) })
  return mount === null ? facts : `${facts}, ${t('lastLook.mount', { mount: foreignText(mount, 200) })}`
}

/** Returns one line for each command: a training often has a process on each GPU. */
function programLines(programs: LastLook['programs']): readonly LookLine[] {
  const names = programs.map(({ pid, command }) =>
    command === '' ? t('lastLook.process', { pid }) : foreignText(command, 300),
  )
  return [...new Set(names)].map((name) => {
    const count = names.filter((other) => other === name).length
    return { subject: name, detail: count > 1 ? t('lastLook.processes', { count }) : '' }
  })
}

const gapLine = ({ part, reason }: LookGap): LookLine => ({
  subject: t(`lastLook.parts.${part}`),
  detail: reasonText(reason),
})

/** Returns the findings of a look as groups of lines, without empty groups. */
export function lookGroups({
  repositories,
  programs,
  sessions,
  files,
  gaps,
}: LastLook): readonly LookGroup[] {
  const groups: readonly (readonly [title: string, lines: readonly LookLine[]])[] = [
    [
      t('lastLook.groups.repositories'),
      repositories.map((repository) => ({
        subject: foreignText(repository.path, 300),
        detail: repositoryText(repository),
      })),
    ],
    [t('lastLook.groups.programs'), programLines(programs)],
    [
      t('lastLook.groups.sessions'),
      sessions.map(({ tool, name }) => ({ subject: foreignText(name, 100), detail: tool })),
    ],
    [
      t('lastLook.groups.files', { count: largeFile.days }, largeFile.days),
      files.map((file) => ({ subject: foreignText(file.path, 300), detail: fileText(file) })),
    ],
    [t('lastLook.groups.gaps'), gaps.map(gapLine)],
  ]
  return groups
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => ({
      title,
      lines: lines.slice(0, maxShown),
      more: Math.max(0, lines.length - maxShown),
    }))
}
