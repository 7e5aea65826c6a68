/** Marks the end of an exhaustive switch: a missing case does not compile. */
export const assertNever = (value: never): never => {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`)
}
