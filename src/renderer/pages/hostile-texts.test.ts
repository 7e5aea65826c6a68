import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { billingText } from '../features/cost/type-text'
import { gpuText, statusText } from '../features/machine-text'
import { regionText as volumeRegion } from '../features/volumes/volume-text'
import { volumeNamed } from '../features/volumes/volume.fixture'
import { resourceText } from './billing/entry-text'
import { regionText } from './catalog/rows'

const hardware = { name: null, cpu: null, ram: null, disk: null, gpuCount: 1 }

it.each([
  ['a status', statusText],
  ['a GPU', (text: string) => gpuText({ ...hardware, gpu: text })],
  ['a region', (text: string) => regionText({ id: null, name: text })],
  [
    'the region of a volume',
    (text: string) => volumeRegion(volumeNamed('v', { region: { id: null, name: text } })),
  ],
  ['a kind of charge', (text: string) => billingText('chargeTypes', text)],
  ['what was billed', (text: string) => resourceText({ id: 'r', name: text, type: null, ended: null })],
])('%s that a service named to harm is cut, and reads as what it is', (_, words) => {
  expect(words('x'.repeat(1_000_000))?.length).toBeLessThan(1_100)
  expect(words('photo\u202Egnp.exe')).toContain('photo\uFFFDgnp.exe')
})

it('no page or feature shows a name, a description or a cycle as it came', () => {
  const own = new Set(['{{ terminal.name }}', '{{ fact.name }}'])
  const folders = [import.meta.dirname, join(import.meta.dirname, '../features')]
  const raw = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.vue'))
      .flatMap((file) =>
        [
          ...readFileSync(join(folder, file), 'utf8').matchAll(
            /\{\{\s*(?:\w+\.)+(?:name|description|cycle)(?: \?\?[^}]*)?\s*\}\}/g,
          ),
        ].flatMap(([shown]) => (own.has(shown) ? [] : [`${file}: ${shown}`])),
      ),
  )
  expect(raw).toEqual([])
})
