import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('pages and features show names, descriptions and cycles only through foreignText', () => {
  const ownTexts = new Set(['{{ terminal.name }}', '{{ fact.name }}'])
  const folders = ['../pages', '../features'].map((folder) => join(import.meta.dirname, folder))
  const raw = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.vue'))
      .flatMap((file) =>
        [
          ...readFileSync(join(folder, file), 'utf8').matchAll(
            /\{\{\s*(?:\w+\.)+(?:name|description|cycle)(?: \?\?[^}]*)?\s*\}\}/g,
          ),
        ].flatMap(([shown]) => (ownTexts.has(shown) ? [] : [`${file}: ${shown}`])),
      ),
  )
  expect(raw).toEqual([])
})
