/** The attempt waits because one more refused sign-in could make the server block this computer. */
export const overBudget = 'over-budget'

/** The attempt waits because the server blocks this computer's address. */
export const refusedAddress = 'refused-for-a-while'
