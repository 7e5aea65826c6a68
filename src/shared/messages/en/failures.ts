/** What went wrong (`title`, `text`) and what to do next (`next`), by kind of failure (src/shared/failure.ts). */
export const failures = {} as const
