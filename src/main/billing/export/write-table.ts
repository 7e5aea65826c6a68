import { replaceFile } from '../../store/atomic-file'
import { stopIfCancelled } from '../entries/jobs'

/** Format of a table in a file: `head`, rows by page, `tail`. */
export interface TableWriter<Row> {
  readonly extension: string
  readonly head: string
  /** `first`: only the head was written so far. */
  rows(rows: readonly Row[], first: boolean): string
  readonly tail: string
}

/**
 * Writes a table to a temporary file by page, and replaces the target once it is complete. Fails as the pages do,
 * with cancelled, and with the system's own error; the target then stays unchanged, and the temporary file is
 * removed.
 */
export const writeTable = <Row, End>(
  path: string,
  pages: AsyncGenerator<readonly Row[], End>,
  writer: TableWriter<Row>,
  signal: AbortSignal,
): Promise<{ readonly rows: number; readonly end: End }> =>
  replaceFile(path, async (write) => {
    await write(writer.head)
    for (let rows = 0; ;) {
      const next = await pages.next()
      stopIfCancelled(signal)
      if (next.done === true) {
        await write(writer.tail)
        return { rows, end: next.value }
      }
      await write(writer.rows(next.value, rows === 0))
      rows += next.value.length
    }
  })
