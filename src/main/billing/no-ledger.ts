import type { CostsParts } from './index'

/** Nothing is kept: costs follow from what the service says now. */
export const noLedger: Pick<CostsParts, 'ledger' | 'store'> = {
  ledger: {
    state: (account) => ({
      account,
      revision: 0,
      known: 0,
      total: null,
      complete: false,
      reading: false,
      lastSync: null,
      failure: null,
    }),
    onChange: () => () => undefined,
  },
  store: { database: () => undefined, onChange: () => () => undefined },
}
