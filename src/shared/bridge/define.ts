import { z } from 'zod'

/** One row of the contract. Input and output are validated on arrival. */
export interface Call<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly input: Input
  readonly output: Output
}

export const call = <Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
): Call<Input, Output> => ({ input, output })

/** An object of a discriminated union on `kind`. */
export const variant = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape })

/**
 * Bytes in a stream. Parsing returns a view over exactly its own buffer: cloning or transferring a view includes the
 * whole buffer, and a Node Buffer may be part of a shared pool. If the port transfers bytes, the sender's view is
 * empty afterwards.
 */
export const Bytes: z.ZodType<Uint8Array, Uint8Array> = z.instanceof(Uint8Array).transform((view) => {
  const { buffer } = view
  const exact = buffer instanceof ArrayBuffer && buffer.byteLength === view.byteLength
  return exact ? new Uint8Array(buffer) : new Uint8Array(view)
})

/**
 * A stream that the window opens: its input, and its messages `up` to the main process and `down` to the window.
 * Messages are plain data or Bytes, nested as in the schema.
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

/** Types of a table of streams, by name. */
export type StreamTypes<Table extends Readonly<Record<string, Stream>>> = {
  readonly [Name in keyof Table]: {
    readonly input: z.infer<Table[Name]['input']>
    readonly up: z.infer<Table[Name]['up']>
    readonly down: z.infer<Table[Name]['down']>
  }
}

/** A table of streams whose rows keep their types together when they are looked up by a generic name. */
export type StreamRows<Types extends Readonly<Record<keyof Types, StreamType>>> = {
  readonly [Name in keyof Types]: Stream<
    z.ZodType<Types[Name]['input']>,
    z.ZodType<Types[Name]['up']>,
    z.ZodType<Types[Name]['down']>
  >
}
