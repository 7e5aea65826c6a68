import { rmSync } from 'node:fs'
import { picturesFolder } from './pictures'

/** The pictures of a run are of that run only. */
export default function clearPictures(): void {
  rmSync(picturesFolder, { recursive: true, force: true })
}
