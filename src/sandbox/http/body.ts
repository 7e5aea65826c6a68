import { ApiError } from '../api-error'

/** Upper bound on a body in bytes. */
const maximumBody = 1_000_000

/** Upper bound on the bytes read of a body that is too large. Reading it lets the sender receive the answer. */
const readLimit = 64 * maximumBody

/** Parses the JSON body of a request. Throws ApiError if it is encoded, too large, incomplete or not JSON. */
export async function readJson(request: Request): Promise<unknown> {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new ApiError(
      'unsupported-encoding',
      `the Content-Encoding ${JSON.stringify(encoding)} is not supported`,
    )
  }
  const bytes = await readBytes(request.body)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new ApiError('invalid', 'the request body must be JSON in UTF-8', undefined, { cause: error })
  }
}

async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength
      if (size <= maximumBody) chunks.push(chunk)
      if (size > readLimit) break
    }
  } catch (error) {
    // The client aborted, or the chunked encoding is malformed, which listen.ts answers.
    throw new ApiError('invalid', 'the request body is incomplete', undefined, { cause: error })
  }
  if (size > maximumBody) {
    throw new ApiError('payload-too-large', 'the request body must not be larger than 1 MB')
  }
  return Buffer.concat(chunks)
}
