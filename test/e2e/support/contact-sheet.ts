import { join } from 'node:path'
import { findProgram } from '../../fixtures/requirement-checks'
import { run } from './command'
import { pictures, picturesFolder, takesPictures } from './pictures'

/** Puts all pictures of a run on one sheet for people: test-results/contact-sheet.png. */
export default async function contactSheet(): Promise<void> {
  if (!takesPictures) return
  const all = pictures()
  if (all.length === 0 || !findProgram('montage')) return
  const look = ['-font', 'DejaVu-Sans', '-pointsize', '15', '-background', '#1b2028', '-fill', '#e6eaf0']
  const layout = ['-tile', '10x', '-geometry', '420x266+8+8']
  const sheet = join(picturesFolder, '../contact-sheet.png')
  const files = all.map((picture) => `${picture}[420x266]`)
  // Some hundred pictures take minutes on a busy machine.
  await run('montage', [...look, '-label', '%t', ...files, ...layout, sheet], '', 600)
}
