/** The limits of the specification (api-spec.md §8), checked in forms, at the bridge and in the sandbox alike. */
export const limits = {
  /** characters */
  volumeDisplayName: 50,
  /** GB */
  volumeSize: { min: 1, max: 1_048_576 },
  /** characters */
  apiTokenName: 50,
  port: { min: 1, max: 65_535 },
  /** seconds that an access token lives */
  accessToken: 30 * 60,
  /** seconds that a refresh token lives */
  refreshToken: 2 * 60 * 60,
} as const
