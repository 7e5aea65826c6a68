import type { ComparedFile, FileEntry, Transfer } from '#shared/bridge/files'
import type { SshLink } from '#shared/bridge/ssh-link'
import { formatCount } from '#shared/locale'
import { bytesText as bytesIn } from '#shared/messages/bytes-text'
import { failureText } from '#shared/messages/failure-text'
import { foreignText } from '../../components/foreign-text'
import type { GridColumn } from '../../components/grid-columns'
import { rowModel } from '../../components/rows'
import { t, tPath } from '../../platform/i18n'
import { duration, exactTime } from '../../platform/time'
import { linkText, type StateText } from '../gpu/gpu-text'

export type FileKey = 'name' | 'size' | 'modified'
export type FileRow = FileEntry & { readonly id: string }
export type FileQuestion =
  | { readonly kind: 'newFolder' }
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'delete'; readonly names: readonly string[]; readonly hasFolder: boolean }

export const bytesText = (bytes: number): string => bytesIn(bytes, tPath)

export const fileName = (name: string): string => foreignText(name, 255)

/** Returns a size with its bytes, by which two files of about the same size differ. */
const exactSize = (size: number): string =>
  size < 1000
    ? bytesText(size)
    : t('files.taken.compared.size', { size: bytesText(size), count: formatCount(size) })

/** Returns the two files of a name conflict as text; the newer one is marked if both times are known and differ. */
export function comparedFiles({ existing, copied }: Record<'existing' | 'copied', ComparedFile>) {
  const row = (which: 'existing' | 'copied', { size, modifiedAt }: ComparedFile, other: ComparedFile) => ({
    which,
    size: size === null ? '' : exactSize(size),
    modified: modifiedAt === null ? t('files.taken.compared.unknown') : exactTime(modifiedAt),
    isNewer: modifiedAt !== null && other.modifiedAt !== null && modifiedAt > other.modifiedAt,
  })
  return [row('existing', existing, copied), row('copied', copied, existing)]
}

export const fileRows = rowModel<FileRow, FileKey>({
  // Folders come before files in every order.
  valueOf: ({ kind, name, size, modifiedAt }, key) => {
    const order = kind === 'folder' ? 0 : 1
    if (key === 'name') return [order, name]
    const value = key === 'size' ? (kind === 'folder' ? 0 : size) : modifiedAt
    return value === null ? null : [order, value]
  },
  nameOf: ({ name }) => name,
  texts: ({ name }) => [name],
})

export const fileColumns = (): readonly GridColumn<FileKey>[] => [
  { key: 'name', label: t('files.columns.name'), min: 150, grow: 3, dropOrder: 0 },
  { key: 'size', label: t('files.columns.size'), min: 76, grow: 0, dropOrder: 1, numeric: true },
  { key: 'modified', label: t('files.columns.modified'), min: 88, grow: 0, dropOrder: 2 },
]

export interface Crumb {
  readonly name: string
  readonly path: string
}
/** Returns the folders along a path, root first. */
export function crumbs(path: string): readonly Crumb[] {
  const names = path.split('/').filter((name) => name !== '')
  return [
    { name: '/', path: '/' },
    ...names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` })),
  ]
}
export const inFolder = (folder: string, name: string): string =>
  folder.endsWith('/') ? folder + name : `${folder}/${name}`

/** Returns whether a name stays in its folder. */
export const isPlainName = (name: string): boolean => !/^\.{0,2}$|[/\0]/.test(name) && name.length <= 255

/** Returns why the files of a machine can't be listed; null if they can. */
export function filesDisabledReason(link: SshLink, now: number): StateText | null {
  if (link.kind === 'off')
    return link.why === 'not-running'
      ? { title: t('files.notRunning.title'), text: t('files.notRunning.text'), next: null }
      : null
  return linkText(link, now)
}

export function transferName({ name, others }: Transfer): string {
  const first = fileName(name)
  return others === 0 ? first : t('files.transfers.others', { name: first }, others)
}

const finalStates = new Set(['done', 'cancelled', 'failed'])
export const isOver = ({ state }: Transfer): boolean => finalStates.has(state.kind)

/** Summarizes all transfers. `short`: progress in percent, or the number of failures. */
export function transfersSummary(all: readonly Transfer[]): {
  readonly kind: 'running' | 'failed' | 'ended'
  readonly text: string
  readonly short: string
} {
  const running = all.filter((transfer) => !isOver(transfer))
  const failed = all.filter(({ state }) => state.kind === 'failed').length
  if (running.length > 0) {
    const sum = (key: 'done' | 'total'): number => running.reduce((total, { bytes }) => total + bytes[key], 0)
    const done = t('files.transfers.percent', {
      // A file that grows during the transfer has more bytes than counted before.
      value: Math.min(100, Math.floor((100 * sum('done')) / (sum('total') || 1))),
    })
    const text = t('files.transfers.summary.running', { done }, running.length)
    return { kind: 'running', text, short: done }
  }
  return failed > 0
    ? { kind: 'failed', text: t('files.transfers.summary.failed', {}, failed), short: String(failed) }
    : { kind: 'ended', text: t('files.transfers.summary.ended', {}, all.length), short: '' }
}

interface NamedLinks {
  readonly count: number
  readonly names: readonly string[]
}
export function namesText({ count, names }: NamedLinks): string {
  const text = foreignText(names.join(t('common.listSeparator')), 300)
  return names.length < count ? `${text}, …` : text
}
const linksText = (links: NamedLinks): string =>
  t('files.transfers.done.links', { names: namesText(links) }, links.count)
const linksFailedText = (links: NamedLinks & { readonly reason: string }): string =>
  t(
    'files.transfers.done.linksFailed',
    { names: namesText(links), reason: foreignText(links.reason, 300) },
    links.count,
  )

/** Describes the progress or outcome, most important part first. */
export function transferParts({ state, files, bytes }: Transfer): readonly string[] {
  const numbers = { done: formatCount(files.done), total: formatCount(files.total) }
  const count = files.total > 1 ? [t('files.transfers.files', numbers)] : []
  switch (state.kind) {
    case 'waiting':
      return [t('files.transfers.waiting')]
    case 'counting':
      return [t('files.transfers.counting', {}, files.total)]
    case 'asking':
    case 'asking-links':
      return [t('files.transfers.asking')]
    case 'running': {
      const { rate } = state
      const left = (bytes.total - bytes.done) / (rate ?? 1)
      return [
        t('files.transfers.running', { done: bytesText(bytes.done), total: bytesText(bytes.total) }),
        ...count,
        ...(rate === null
          ? []
          : rate < 1
            ? [t('files.transfers.stalled')]
            : [
                t('files.transfers.rate', { rate: bytesText(rate) }),
                t('files.transfers.left', { duration: duration(Math.max(1, left)) }),
              ]),
      ]
    }
    case 'verifying':
      return [t('files.transfers.verifying')]
    case 'done': {
      const counts = (
        ['kept', 'changed', 'skipped', 'renamed', 'linksCopied', 'modesRefused', 'timesRefused'] as const
      ).filter((name) => state[name] > 0)
      return [
        files.done === 0 ? t('files.transfers.done.none') : t(`files.transfers.done.${state.verified}`),
        bytesText(bytes.done),
        ...count,
        ...counts.map((name) => t(`files.transfers.done.${name}`, {}, state[name])),
        ...(state.linksFailed.count > 0 ? [linksFailedText(state.linksFailed)] : []),
        ...(state.links.count > 0 ? [linksText(state.links)] : []),
        ...(state.left.length > 0
          ? [
              t('files.transfers.done.left', {
                names: foreignText(state.left.join(t('common.listSeparator')), 300),
              }),
            ]
          : []),
      ]
    }
    case 'cancelled':
      return [
        t('files.transfers.cancelled'),
        ...(state.left.length > 0
          ? [
              t('files.transfers.notRemoved', {
                names: foreignText(state.left.join(t('common.listSeparator')), 300),
              }),
            ]
          : []),
      ]
    case 'failed': {
      const { title, text } = failureText(state.failure, tPath)
      return [foreignText(t('common.sentences', { first: title, second: text }), 300)]
    }
  }
}
