/** Data of the thread (desktop/command-line.ts). `ended`: whether it is over, and the exit code. */
export interface ThreadData {
  readonly words: readonly string[]
  readonly launch: readonly string[]
  readonly program: string
  readonly folder: string
  readonly version: string
  readonly ended: Int32Array
}
