/** Why an SSH attempt waits: one more refused sign-in could make the server refuse this computer's address. */
export const overBudget = 'over-budget'

/** Why an SSH attempt waits: the server refuses the address that it comes from. */
export const refusedAddress = 'refused-for-a-while'
