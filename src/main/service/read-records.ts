import { z } from 'zod'
import { FailureError } from '#shared/failure'
import type { UnreadableRecord } from '#shared/service/page'
import { schemaMismatch } from './answer'
import { maskedRecord } from './masked-record'

export interface Records<Item> {
  readonly items: readonly Item[]
  readonly unreadable?: readonly UnreadableRecord[]
}

export type OnUnreadable = (records: readonly UnreadableRecord[]) => void

const WithId = z.looseObject({ id: z.string().min(1) })

function unreadableRecord(record: unknown, index: number): UnreadableRecord {
  const { data } = WithId.safeParse(record)
  return { index, id: data?.id ?? null, text: maskedRecord(record) }
}

/**
 * Validates the records of a list; unreadable ones are returned separately. Some services answer null for an empty
 * list. Fails with unexpected-answer if the data is no list.
 */
export function readRecords<Item>(data: unknown, schema: z.ZodType<Item>): Records<Item> {
  const list = z.array(z.unknown()).nullable().safeParse(data)
  if (!list.success) throw new FailureError(schemaMismatch('data', list.error, data))
  const items: Item[] = []
  const unreadable: UnreadableRecord[] = []
  for (const [index, record] of (list.data ?? []).entries()) {
    const read = schema.safeParse(record)
    if (read.success) items.push(read.data)
    else unreadable.push(unreadableRecord(record, index))
  }
  return { items, ...(unreadable.length === 0 ? {} : { unreadable }) }
}

export async function wholeList<Item>(
  reading: Promise<Records<Item>>,
  onUnreadable?: OnUnreadable,
): Promise<Item[]> {
  const { items, unreadable = [] } = await reading
  onUnreadable?.(unreadable)
  return [...items]
}
