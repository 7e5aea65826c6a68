import type { Language } from '#shared/locale'
import { type Block, parseMarkdown, plainText } from '#shared/markdown'

const sources = import.meta.glob<string>('../../../../docs/guide/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})
/** Pages in other languages, in a folder each. */
const translations = import.meta.glob<string>('../../../../docs/guide/*/*.md', {
  query: '?raw',
  import: 'default',
})
const pictures = import.meta.glob<string>('../../../../docs/guide/pictures/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
})

const nameOf = (path: string): string => path.replace(/^.*\/|\.\w+$/g, '')
const byName = (files: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([path, content]) => [nameOf(path), content]))
/** Markdown of the pages by their name. */
type Guide = ReadonlyMap<string, string>
export const englishGuide: Guide = byName(sources)
const pictureUrls = byName(pictures)

interface GuidePage {
  /** File name without suffix; `README` is the first page. */
  readonly name: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** Loads the guide in a language. A page without a translation is in English. */
export async function loadGuide(language: Language): Promise<Guide> {
  const pages = Object.entries(translations).filter(([path]) => path.includes(`/guide/${language}/`))
  const loaded = await Promise.all(pages.map(async ([path, load]) => [path, await load()] as const))
  return new Map([...englishGuide, ...byName(Object.fromEntries(loaded))])
}

export function guidePage(guide: Guide, name: string): GuidePage | undefined {
  const text = guide.get(name)
  if (text === undefined) return undefined
  const blocks = parseMarkdown(text)
  const heading = blocks.find(({ kind }) => kind === 'heading')
  return { name, title: heading?.kind === 'heading' ? plainText(heading.line) : name, blocks }
}

/** Returns the first page and the pages that it lists, in that order. */
export function guidePages(guide: Guide): readonly GuidePage[] {
  const listed = [...(guide.get('README') ?? '').matchAll(/^- \[[^\]]+\]\(([\w-]+)\.md\)/gm)]
  return ['README', ...listed.map(([, name = '']) => name)].flatMap((name) => guidePage(guide, name) ?? [])
}

/** Returns the URL of `pictures/NAME.png` in the theme's variant, if it has variants. */
export const pictureUrl = (path: string, theme: 'dark' | 'light'): string | undefined => {
  const name = nameOf(path)
  return pictureUrls.get(name.replace(/-(?:dark|light)$/, `-${theme}`)) ?? pictureUrls.get(name)
}

/** Returns the page and section of a link inside the guide; undefined for other links. */
export function linkTarget(
  to: string,
): { readonly page: string | undefined; readonly section: string | undefined } | undefined {
  const [, file, section] = /^([\w-]+\.md)?(?:#(.+))?$/.exec(to) ?? []
  if (file === undefined && section === undefined) return undefined
  return { page: file?.replace(/\.md$/, ''), section }
}
