/**
 * Limits of the specification (api-spec.md §8), applied in forms, at the bridge and in the sandbox. Names in
 * characters, sizes in GB, lifetimes of tokens in seconds.
 */
export const limits = {
  volumeDisplayName: 50,
  volumeSize: { min: 1, max: 1_048_576 },
  apiTokenName: 50,
  port: { min: 1, max: 65_535 },
  accessToken: 30 * 60,
  refreshToken: 2 * 60 * 60,
} as const
