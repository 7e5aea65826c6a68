import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Proof {
  readonly file: string
  /** Start of a test's title. */
  readonly title: string
}

interface Claim {
  readonly text: string
  readonly proofs: readonly Proof[]
}

/** Returns the items of a page's lists, each with its items that name a test. */
function claimsIn(page: string): readonly Claim[] {
  const items = page.split(/^(?=(?:-|\d+\.) )/m).slice(1)
  return items.map((item) => ({
    text: item.split('\n')[0] ?? '',
    proofs: [...item.matchAll(/^ +- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => ({
      file,
      title,
    })),
  }))
}

/** Returns why a proof is invalid; undefined if the test exists. */
function fault({ file, title: begins }: Proof): string | undefined {
  if (!existsSync(join(root, file))) return 'no such file'
  const quotes = ["'", '`', '"']
  const found = read(file)
    .split('\n')
    .some((line) =>
      quotes.some((quote) => {
        const title = quote + begins
        return line.trimStart().startsWith(title) || line.includes(`(${title}`)
      }),
    )
  return found ? undefined : 'no such test'
}

describe('the page about security', () => {
  const claims = claimsIn(read('docs/security.md'))

  it('makes no claim without a test', () => {
    expect(claims.filter(({ proofs }) => proofs.length === 0).map(({ text }) => text)).toEqual([])
    expect(claims.length).toBeGreaterThan(50)
  })

  it('names existing tests', () => {
    const wrong = claims.flatMap(({ proofs }) =>
      proofs.flatMap((proof) => (fault(proof) ? [`${proof.file}: ${proof.title}: ${fault(proof)}`] : [])),
    )
    expect(wrong).toEqual([])
  })

  it('has every point of Electron’s checklist, in order', () => {
    const points = claims.flatMap(({ text }) => /^(\d+)\. /.exec(text)?.[1] ?? [])
    expect(points.map(Number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('is linked from README and CONTRIBUTING', () => {
    expect(read('SECURITY.md')).toContain('](docs/security.md)')
    for (const page of ['README.md', 'CONTRIBUTING.md']) expect(read(page)).toContain('](SECURITY.md)')
  })
})

it('a claim without a test, a missing file and a missing test are found', () => {
  const [bare, wrong] = claimsIn(
    '# Page\n\n- Nothing leaks.\n- It is safe.\n  - `scripts/security-page.test.ts`: is not there\n  - `none.ts`: x\n',
  )
  expect(bare?.proofs).toEqual([])
  expect(wrong?.proofs.map(fault)).toEqual(['no such test', 'no such file'])
})
