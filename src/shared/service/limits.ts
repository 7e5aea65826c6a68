/** Limits of the specification (api-spec.md §8), applied in forms, at the bridge and in the sandbox. */
export const limits = {
  /** characters */
  volumeDisplayName: 50,
  /** GB */
  volumeSize: { min: 1, max: 1_048_576 },
  /** characters */
  apiTokenName: 50,
  port: { min: 1, max: 65_535 },
  /** lifetime of an access token in seconds */
  accessToken: 30 * 60,
  /** lifetime of a refresh token in seconds */
  refreshToken: 2 * 60 * 60,
} as const
