import type { ApiTokenView } from '#shared/bridge/api-token'
import { foreignCell } from '../../components/grid/foreign-cell'
import { type CellText, columnMaker, type GridColumn } from '../../components/grid-columns'
import { rowModel, type SortValue } from '../../components/rows'
import { t } from '../../platform/i18n'
import { ago, exactTime } from '../../platform/time'
import { lastUsedText } from './token-text'

export type TokenKey = 'name' | 'description' | 'created' | 'lastUsed' | 'use'

const column = columnMaker((key: TokenKey) => t(`apiTokens.columns.${key}`))

export const tokenColumns = (): readonly GridColumn<TokenKey>[] => [
  column('name', 160, 2, 0),
  column('description', 180, 3, 2),
  column('lastUsed', 136, 1, 1),
  column('created', 120, 1, 4),
  column('use', 130, 1, 3),
]

/** Returns the text of a cell; undefined for the name. `now` in epoch seconds. */
export function tokenCell(token: ApiTokenView, key: TokenKey, now: number): CellText | undefined {
  const { lastUsed, createdAt } = token
  switch (key) {
    case 'description':
      return foreignCell(token.description, 'muted')
    case 'lastUsed':
      return {
        text: lastUsedText(token, now),
        title: lastUsed ? exactTime(lastUsed) : undefined,
        look: lastUsed ? 'tabular' : 'muted tabular',
      }
    case 'created':
      return {
        text: createdAt === null ? t('common.unknown') : ago(createdAt, now),
        title: createdAt === null ? undefined : exactTime(createdAt),
        look: 'muted tabular',
      }
    case 'use':
      return token.inUse
        ? { text: t('apiTokens.inUse'), title: t('apiTokens.inUseHint'), look: 'use' }
        : { text: '' }
    case 'name':
      return undefined
  }
}

function valueOf(token: ApiTokenView, key: TokenKey): SortValue {
  switch (key) {
    case 'created':
      return token.createdAt
    case 'use':
      return Number(!token.inUse)
    default:
      return token[key]
  }
}

export const tokenRows = rowModel<ApiTokenView, TokenKey>({
  valueOf,
  nameOf: ({ name }) => name,
  texts: ({ name, description, id }) => [name, description, id],
})
