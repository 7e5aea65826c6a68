import { ApiError } from '../api-error'

/** bytes */
const maximumBody = 1_000_000

/** Bytes read of a body that is too large, so that its sender receives the answer; a larger one is cut off. */
const readLimit = 64 * maximumBody

/** Parses a JSON body. Throws ApiError where the body is too large or is not JSON. */
export async function readJson(body: ReadableStream<Uint8Array> | null): Promise<unknown> {
  const text = await readText(body)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError('invalid', 'the request body must be JSON', undefined, { cause: error })
  }
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size <= maximumBody) chunks.push(chunk)
    if (size > readLimit) break
  }
  if (size > maximumBody)
    throw new ApiError('payload-too-large', 'the request body must not be larger than 1 MB')
  return Buffer.concat(chunks).toString('utf8')
}
