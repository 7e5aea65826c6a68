import { z } from 'zod'

/** One row of the contract: what goes in and what comes out, both checked on arrival. */
export interface Call<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly input: Input
  readonly output: Output
}

export const call = <Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
): Call<Input, Output> => ({ input, output })

/**
 * Bytes in a stream. Parsing gives a view over exactly its own buffer: cloning or transferring a view takes the whole
 * buffer beneath it, and beneath a Node Buffer lies a pool that other data shares. Whoever sends bytes gives them
 * away: where the port can transfer, the sender's view is empty afterwards.
 */
export const Bytes: z.ZodType<Uint8Array, Uint8Array> = z.instanceof(Uint8Array).transform((view) => {
  const { buffer } = view
  const exact = buffer instanceof ArrayBuffer && buffer.byteLength === view.byteLength
  return exact ? new Uint8Array(buffer) : new Uint8Array(view)
})

/**
 * A stream, opened by the window: what it is opened with, and the messages that go `up` to the main process and `down`
 * to the window. Each message is plain data or Bytes, nested as the schema says.
 */
export interface Stream<
  Input extends z.ZodType = z.ZodType,
  Up extends z.ZodType = z.ZodType,
  Down extends z.ZodType = z.ZodType,
> {
  readonly input: Input
  readonly up: Up
  readonly down: Down
}

export const stream = <Input extends z.ZodType, Up extends z.ZodType, Down extends z.ZodType>(
  row: Stream<Input, Up, Down>,
): Stream<Input, Up, Down> => row

export interface StreamType {
  readonly input: unknown
  readonly up: unknown
  readonly down: unknown
}

/** What the streams of a table carry, by name. */
export type StreamTypes<Table extends Readonly<Record<string, Stream>>> = {
  readonly [Name in keyof Table]: {
    readonly input: z.infer<Table[Name]['input']>
    readonly up: z.infer<Table[Name]['up']>
    readonly down: z.infer<Table[Name]['down']>
  }
}

/** A table of streams, typed so that a row picked by a name that is not known yet keeps its types together. */
export type StreamRows<Types extends Readonly<Record<keyof Types, StreamType>>> = {
  readonly [Name in keyof Types]: Stream<
    z.ZodType<Types[Name]['input']>,
    z.ZodType<Types[Name]['up']>,
    z.ZodType<Types[Name]['down']>
  >
}
