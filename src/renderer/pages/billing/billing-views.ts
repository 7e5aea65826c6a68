/** What the billing page shows: the answers, or one of the two tables of the service that they are made of. */
export const billingViews = ['costs', 'statements', 'usage'] as const
export type BillingView = (typeof billingViews)[number]
