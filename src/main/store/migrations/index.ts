import { ledger } from './001-ledger'
import { resource } from './002-resource'
import { gpuSample } from './003-gpu-sample'
import { usageSeenAt } from './004-usage-seen-at'
import { document } from './005-document'
import { lastList } from './006-last-list'
import { recentStatements } from './007-recent-statements'
import { statementsByResource } from './008-statements-by-resource'
import { chargedAmount } from './009-charged-amount'
import type { Migration } from '../migrate'

/** Every step of the store's schema, in order. */
export const migrations: readonly Migration[] = [
  ledger,
  resource,
  gpuSample,
  usageSeenAt,
  document,
  lastList,
  recentStatements,
  statementsByResource,
  chargedAmount,
]
