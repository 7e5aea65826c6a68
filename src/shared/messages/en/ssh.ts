export const ssh = {} as const
