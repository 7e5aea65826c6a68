import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseMarkdown } from '../src/shared/markdown'
import { languages } from '../src/shared/locale'
import { en } from '../src/shared/messages/en/index'
import { messageAt } from '../src/shared/messages/format'
import { translations } from '../src/shared/messages/translations'
import { keysOf, messageTexts } from '../test/fixtures/message-uses'
import { changesOf, signatureChecks, signingEnvironment } from './release.mjs'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const markdownIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file))
const guide = markdownIn('docs/guide')
const translatedGuides = readdirSync(join(root, 'docs/guide'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'pictures' ? markdownIn(`docs/guide/${entry.name}`) : [],
)
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...markdownIn('docs'),
  ...guide,
  ...translatedGuides,
]

/** Returns a page without its fenced examples. */
const textOf = (page: string): string => read(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
const anchorsOf = (page: string): readonly string[] =>
  parseMarkdown(textOf(page).replaceAll(/^(#+ .*)$/gm, '\n$1\n')).flatMap((block) =>
    block.kind === 'heading' ? [block.id] : [],
  )
const linksOf = (page: string): readonly string[] => {
  const found = [...textOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
  return found
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((link) => !link.startsWith('https://'))
}
/** Returns why a relative link is broken. */
const broken = (page: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && !anchorsOf(target).includes(anchor)
}

const Package = z.object({ version: z.string(), scripts: z.record(z.string(), z.string()) })
const { scripts, version } = Package.parse(JSON.parse(read('package.json')))
const ofNpm = new Set(['start', 'test', 'ci', 'sbom', 'audit', 'version', 'rebuild'])

/** Returns why a command cannot run in a checkout; undefined if it can, or is a program of the system. */
function problem(command: string): string | undefined {
  const words = command.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word))
  const [program, first = '', second = ''] = words
  if (program === 'npm' && first === 'run') {
    const script = words.slice(2).find((word) => !word.startsWith('-')) ?? ''
    return script in scripts ? undefined : `no script ${script}`
  }
  if (program === 'npm') return ofNpm.has(first) ? undefined : `npm has no ${first}`
  if (program === 'npx') return existsSync(join(root, 'node_modules/.bin', first)) ? undefined : `no ${first}`
  if (program === 'node' || program === 'bash') {
    const file = words.slice(1).find((word) => /\.\w+$|^\.ci/.test(word)) ?? second
    return existsSync(join(root, file)) ? undefined : `no ${file}`
  }
  return undefined
}
const starts = /^(?:[A-Z_]+=\S+ )?(?:npm|npx|node|bash) /
/** Returns the commands in indented and inline code. */
const commandsOf = (page: string): readonly string[] => {
  const text = textOf(page)
  const indented = [...text.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line.replace(/\s+#.*$/, ''))
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return [...indented, ...inline].filter((command) => starts.test(command) && !/[A-Z]{4,}$/.test(command))
}

describe.each(pages)('%s', (page) => {
  it('links only to existing targets', () => {
    expect(linksOf(page).filter((link) => broken(page, link))).toEqual([])
  })

  it('names only existing commands', () => {
    expect(commandsOf(page).flatMap((command) => problem(command) ?? [])).toEqual([])
  })
})

it('missing links, anchors and commands are found', () => {
  expect(['docs/none.md', 'docs/testing.md#none', '#none'].map((link) => broken('README.md', link))).toEqual([
    true,
    true,
    true,
  ])
  expect(broken('README.md', 'docs/testing.md#the-desktop-session')).toBe(false)
  const commands = ['npm run none', 'npm none', 'npx none', 'node scripts/none.mjs', 'A=b npx none']
  expect(commands.flatMap((command) => problem(command) ?? [])).toHaveLength(commands.length)
})

describe('the user guide', () => {
  it('lists each of its pages on the first one', () => {
    const listed = linksOf('docs/guide/README.md').filter((link) => /^[\w-]+\.md$/.test(link))
    const others = guide.map((page) => basename(page)).filter((page) => page !== 'README.md')
    expect([...new Set(listed)].sort()).toEqual([...others].sort())
  })

  it('contains no outside links, as it is read without a network', () => {
    expect(guide.flatMap(linksOf).filter((link) => link.startsWith('..') || link.includes('://'))).toEqual([])
    expect(guide.filter((page) => /https?:\/\/[a-z]/.test(read(page)))).toEqual([])
  })
})

const boldIn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text)

describe.each(Object.entries(translations))('the user guide in %s', (language, { first, later }) => {
  const translated = (page: string): string => page.replace('docs/guide/', `docs/guide/${language}/`)

  it('has the pages, headings, code and pictures of the English one', () => {
    for (const page of guide) {
      const [own, english] = [parseMarkdown(read(translated(page))), parseMarkdown(read(page))]
      expect(
        own.map(({ kind }) => kind),
        translated(page),
      ).toEqual(english.map(({ kind }) => kind))
      const code = (file: string) => [...read(file).matchAll(/pictures\/[\w-]+\.png/g)].map(([text]) => text)
      expect(code(translated(page))).toEqual(code(page))
    }
  })

  it('names buttons and pages as they are on screen', async () => {
    const messages = { ...(await first()), ...(await later()) }
    const texts = new Map<string, Set<string>>()
    for (const path of keysOf(en)) {
      const [english, own] = [messageAt(en, path), messageAt(messages, path)]
      if (english === undefined || own === undefined) continue
      texts.set(english, (texts.get(english) ?? new Set()).add(own))
    }
    const wrong = guide.flatMap((page) => {
      const own = new Set(boldIn(translated(page)))
      return [...new Set(boldIn(page))].flatMap((text) => {
        const possible = [...(texts.get(text) ?? [])]
        return possible.length === 0 || possible.some((one) => own.has(one))
          ? []
          : [`${translated(page)}: ${text} is ${possible.join(' or ')}`]
      })
    })
    expect(wrong).toEqual([])
  })
})

it('no guide is left of a language without messages', () => {
  const known = languages.map((language) => `docs/guide/${language}/`)
  expect(translatedGuides.filter((page) => !known.some((folder) => page.startsWith(folder)))).toEqual([])
})

describe('the pictures of README and guide', () => {
  const folder = 'docs/guide/pictures'
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.png'))
  const words = z.record(z.string(), z.array(z.string())).parse(JSON.parse(read(`${folder}/words.json`)))
  const names = Object.keys(words)

  it('are in both themes, few and small', () => {
    expect([...files].sort()).toEqual(
      names.flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]).sort(),
    )
    expect(files.length).toBeLessThanOrEqual(15)
    expect(files.filter((file) => statSync(join(root, folder, file)).size > 150_000)).toEqual([])
  })

  it('are each used', () => {
    const used = ['README.md', ...guide].flatMap(linksOf).map((link) => basename(link))
    expect(names.filter((name) => !used.includes(`${name}-dark.png`))).toEqual([])
  })

  // A few texts may change before new pictures are worth it.
  it.each(names)('%s shows texts that the application still has', (name) => {
    const texts = messageTexts(en)
    const shown = words[name] ?? []
    const gone = shown.filter((text) => !texts.has(text))
    expect(shown.length).toBeGreaterThan(0)
    expect(gone.length / shown.length, `run npm run pictures: ${gone.join(', ')}`).toBeLessThan(0.25)
  })
})

describe('the workflows', () => {
  const workflows = readdirSync(join(root, '.github/workflows')).map((file) => `.github/workflows/${file}`)
  const lines = workflows.flatMap((file) =>
    [...read(file).matchAll(/^\s*- run: (.+)$/gm)].map(([, line = '']) => line),
  )
  const documented = [...read('docs/release.md').matchAll(/^\| `([^`]+)` +\|/gm)].map(
    ([, command = '']) => command,
  )

  it('run scripts of this repository, each listed in docs/release.md', () => {
    const plain = lines.map((line) => line.replace(/^sudo (?:--\S+ )*/, ''))
    expect(plain.flatMap((line) => problem(line) ?? [])).toEqual([])
    expect([...new Set(plain)].sort()).toEqual(documented.filter((command) => command !== 'run:').sort())
  })
})

describe('the release', () => {
  const release = read('.github/workflows/release.yml')
  const steps = release.split(/^ {6}- /m)

  it('passes its secrets only to the signing step, and no token to npm install', () => {
    const withSecrets = steps.filter((step) => step.includes('secrets.'))
    expect(withSecrets.map((step) => step.split('\n')[0])).toEqual(['run: node scripts/release.mjs package'])
    const checkouts = steps.filter((step) => step.startsWith('uses: actions/checkout'))
    expect(checkouts.filter((step) => !step.includes('persist-credentials: false'))).toEqual([])
  })

  it('has no runner without a libsql binary', () => {
    const { packages } = z
      .object({ packages: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(read('package-lock.json')))
    const systems = new Map([
      ['mac', 'darwin'],
      ['windows', 'win32'],
    ])
    const runners = [...release.matchAll(/name: (\w+)-(x64|arm64) \}/g)].map(
      ([, system = '', architecture = '']) => `${systems.get(system) ?? system}-${architecture}`,
    )
    const made = Object.keys(packages).flatMap((name) => name.split('@libsql/')[1] ?? [])
    expect(runners.length).toBeGreaterThan(0)
    expect(runners.filter((runner) => !made.some((one) => one.startsWith(runner)))).toEqual([])
  })

  it('signs with the secrets that are set, and writes the notarisation key to a file', () => {
    const write = (key: string): string => `/tmp/${String(key.length)}.p8`
    const env = { PATH: '/bin', EMPTY: '', CSC_LINK: '', WIN_CSC_LINK: '', APPLE_API_KEY: '' }
    expect(signingEnvironment(env, write)).toEqual({ PATH: '/bin', EMPTY: '' })
    const key = '-----BEGIN PRIVATE KEY-----\n'
    expect(signingEnvironment({ CSC_LINK: 'AAAA', APPLE_API_KEY: key }, write)).toEqual({
      CSC_LINK: 'AAAA',
      APPLE_API_KEY: '/tmp/28.p8',
    })
    expect(signingEnvironment({ APPLE_API_KEY: '/a.p8' }, write)).toEqual({ APPLE_API_KEY: '/a.p8' })
  })
})

it('signatures of a signed release are verified on the systems that require them', () => {
  const app = ['dist/mac/Wheelhouse.app']
  const onMac = (env: NodeJS.ProcessEnv) => signatureChecks('darwin', env, app).map(([program]) => program)
  expect(onMac({})).toEqual([])
  expect(onMac({ CSC_LINK: 'AAAA' })).toEqual(['codesign'])
  expect(onMac({ CSC_LINK: 'AAAA', APPLE_API_KEY: '/a.p8' })).toEqual(['codesign', 'xcrun', 'spctl'])
  expect(signatureChecks('win32', {}, ['a.exe'])).toEqual([])
  const [check] = signatureChecks('win32', { WIN_CSC_LINK: 'AAAA' }, ["Ada's setup.exe"])
  expect(check?.at(-1)).toContain("-LiteralPath 'Ada''s setup.exe').Status -ne 'Valid'")
  expect(signatureChecks('linux', { CSC_LINK: 'AAAA' }, [])).toEqual([])
})

describe('the changelog', () => {
  it('has an entry for the version of package.json', () => {
    expect(changesOf(read('CHANGELOG.md'), version)).toMatch(/\w/)
  })

  it('has a text for each of its versions and none for others', () => {
    const text = '# Changelog\n\n## 1.1.0\n\n- New\n\n### Fixed\n\n- Bug\n\n## 1.0.0\n\nFirst\n'
    expect(changesOf(text, '1.1.0')).toBe('- New\n\n### Fixed\n\n- Bug')
    expect(changesOf(text, '1.0.0')).toBe('First')
    expect(changesOf(text, '1')).toBeUndefined()
  })
})
