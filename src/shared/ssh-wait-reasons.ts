import type { SshLink } from './bridge/ssh-link'

/** The attempt waits because one more refused sign-in could make the server block this computer. */
export const overBudget = 'over-budget'

/** The attempt waits because the server blocks this computer's address. */
export const refusedAddress = 'refused-for-a-while'

/** Whether a machine waits for its turn while others are connected in the background. */
export const waitsForTurn = (link: SshLink): boolean =>
  link.kind === 'stopped' && link.stop.kind === 'too-many'
