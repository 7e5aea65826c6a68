import type { GridColumn } from '../../components/grid-columns'
import { t } from '../../platform/i18n'
import type { TokenKey } from './token-text'

/** The columns of the list of API tokens. */
export function tokenColumns(): readonly GridColumn<TokenKey>[] {
  const column = (key: TokenKey, min: number, grow: number, dropOrder: number): GridColumn<TokenKey> => ({
    key,
    label: t(`apiTokens.columns.${key}`),
    min,
    grow,
    dropOrder,
  })
  return [
    column('name', 160, 2, 0),
    column('description', 180, 3, 2),
    column('lastUsed', 120, 1, 1),
    column('created', 120, 1, 4),
    column('use', 130, 1, 3),
  ]
}
