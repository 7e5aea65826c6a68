import { Refusal } from '../api-error'

/** Bytes that a request body may have. */
const maximumBody = 1_000_000

/** Bytes read of a body that is too large, so that its sender comes to read why; one larger still is cut off. */
const patience = 64 * maximumBody

/** The value in a JSON body. Throws Refusal where the body is too large or no JSON. */
export async function readJson(body: ReadableStream<Uint8Array> | null): Promise<unknown> {
  const text = await readText(body)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('invalid', 'the request body must be JSON', undefined, { cause: error })
  }
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size <= maximumBody) chunks.push(chunk)
    if (size > patience) break
  }
  if (size > maximumBody) throw new Refusal('too-large', 'the request body must not be larger than 1 MB')
  return Buffer.concat(chunks).toString('utf8')
}
