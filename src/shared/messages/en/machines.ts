export const machines = {} as const
