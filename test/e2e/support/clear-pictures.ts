import { rmSync } from 'node:fs'
import { picturesFolder } from './pictures'

/** Deletes the pictures of earlier runs. */
export default function clearPictures(): void {
  rmSync(picturesFolder, { recursive: true, force: true })
}
