import { StringDecoder } from 'node:string_decoder'

/**
 * Bounds the output of a stream to `limit` characters. Sends the first characters at once; at the end, sends the last ones
 * with the number of characters left out between.
 */
export function boundedOutput(limit: number, send: (text: string, leftOut: number) => void) {
  const decoder = new StringDecoder('utf8')
  const maxLast = Math.floor(limit / 4)
  let room = limit - maxLast
  let last = ''
  let leftOut = 0

  function push(text: string): void {
    const first = text.slice(0, room)
    room -= first.length
    if (first !== '') send(first, 0)
    const rest = last + text.slice(first.length)
    last = rest.slice(-maxLast)
    leftOut += rest.length - last.length
  }
  return {
    push: (data: Buffer): void => push(decoder.write(data)),
    end(): void {
      push(decoder.end())
      if (last !== '') send(last, leftOut)
    },
  }
}
