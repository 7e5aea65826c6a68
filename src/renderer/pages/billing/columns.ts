import type { StatementSort, UsageSort } from '#shared/bridge/billing'
import { t } from '../../platform/i18n'
import { columnMaker, type GridColumn } from '../../components/grid-columns'

export type StatementColumn = StatementSort | 'name'
export type UsageColumn = UsageSort

const column = columnMaker((key: StatementColumn | UsageColumn) => t(`billing.columns.${key}`))

export const statementColumns = (): readonly GridColumn<StatementColumn>[] => [
  // A statement names only the id of its resource.
  { ...column('name', 150, 3, 0), unsorted: true },
  column('resourceType', 84, 1, 6),
  column('startedAt', 176, 2, 2),
  column('dueAt', 176, 2, 4),
  column('type', 80, 1, 5),
  column('status', 124, 1, 3),
  column('amount', 118, 1, 1, true),
]

export const usageColumns = (): readonly GridColumn<UsageColumn>[] => [
  column('name', 150, 3, 0),
  column('resourceType', 84, 1, 5),
  column('status', 84, 1, 3),
  column('createdAt', 176, 2, 4),
  column('terminatedAt', 176, 2, 6),
  column('minutes', 100, 1, 7, true),
  column('perHour', 118, 1, 2, true),
  column('total', 128, 1, 1, true),
]
