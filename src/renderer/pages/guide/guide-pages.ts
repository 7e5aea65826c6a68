import { type Block, parseMarkdown, plainText } from '#shared/markdown'

const sources = import.meta.glob<string>('../../../../docs/guide/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const pictures = import.meta.glob<string>('../../../../docs/guide/pictures/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
})

const nameOf = (path: string): string => path.replace(/^.*\/|\.\w+$/g, '')
const byName = (files: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([path, content]) => [nameOf(path), content]))
const texts = byName(sources)
const pictureUrls = byName(pictures)

interface GuidePage {
  /** Its file's name without an ending; `README` is the first page. */
  readonly name: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** A page of the user guide (docs/guide); undefined where there is none of this name. */
export function guidePage(name: string): GuidePage | undefined {
  const text = texts.get(name)
  if (text === undefined) return undefined
  const blocks = parseMarkdown(text)
  const heading = blocks.find(({ kind }) => kind === 'heading')
  return { name, title: heading?.kind === 'heading' ? plainText(heading.line) : name, blocks }
}

/** The pages in the order in which the first one lists them, itself first. */
export function guidePages(): readonly GuidePage[] {
  const listed = [...(texts.get('README') ?? '').matchAll(/^- \[[^\]]+\]\(([\w-]+)\.md\)/gm)]
  return ['README', ...listed.map(([, name = '']) => name)].flatMap((name) => guidePage(name) ?? [])
}

/** The built picture of `pictures/NAME.png` in the theme; one that exists in no theme has one file for both. */
export const pictureUrl = (path: string, theme: 'dark' | 'light'): string | undefined => {
  const name = nameOf(path)
  return pictureUrls.get(name.replace(/-(?:dark|light)$/, `-${theme}`)) ?? pictureUrls.get(name)
}

/** Where a link leads: a page of the guide, a place on this page, or nowhere that the window could open. */
export function linkTarget(
  to: string,
): { readonly page: string | undefined; readonly section: string | undefined } | undefined {
  const [, file, section] = /^([\w-]+\.md)?(?:#(.+))?$/.exec(to) ?? []
  if (file === undefined && section === undefined) return undefined
  return { page: file?.replace(/\.md$/, ''), section }
}
