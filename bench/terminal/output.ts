/** Lines like the output of a long build or a listing, some in colour, repeated up to the wanted number of bytes. */
export function piece(): string {
  const lines = Array.from({ length: 600 }, (_, at) => {
    const path = `/data/sets/imagenet/train/n${String(1_440_764 + at * 37)}/shard-${String(at).padStart(5, '0')}.tar`
    const color = at % 5 === 0 ? '\x1b[32m' : ''
    return `${color}${String(at * 7_919 + 1_024).padStart(9)} Jul 15 12:${String(at % 60).padStart(2, '0')} ${path}${color && '\x1b[0m'}\r\n`
  })
  return lines.join('')
}
