import { replaceFile } from '../../store/atomic-file'
import { stopIfCancelled } from '../entries/jobs'

/** A table as the text of a file: `head`, then rows as they come, then `tail`. */
export interface TableWriter<Row> {
  readonly extension: string
  readonly head: string
  /** `first`: nothing was written but the head. */
  rows(rows: readonly Row[], first: boolean): string
  readonly tail: string
}

/**
 * Writes a table into a file as its pages come, and puts the file in its place once it is whole. Fails as the pages do,
 * with cancelled, and with the system's own error; then nothing is left of it, and what was there before is still there.
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
