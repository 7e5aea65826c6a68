import { StringDecoder } from 'node:string_decoder'

/**
 * What one stream of a command prints: the first characters are sent as they come, and at its end the last ones, with
 * how many were left out between. `limit`: characters in all.
 */
export function boundedOutput(limit: number, send: (text: string, leftOut: number) => void) {
  const decoder = new StringDecoder('utf8')
  const mostLast = Math.floor(limit / 4)
  let room = limit - mostLast
  let last = ''
  let leftOut = 0

  function push(text: string): void {
    const first = text.slice(0, room)
    room -= first.length
    if (first !== '') send(first, 0)
    const rest = last + text.slice(first.length)
    last = rest.slice(-mostLast)
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
