import type { ElectronApplication } from '@playwright/test'

/** Answers the system's save dialog with this path, or cancels it, instead of a user. */
export const answerSaveDialog = (electron: ElectronApplication, path: string | null): Promise<void> =>
  electron.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: chosen === null, filePath: chosen ?? '' })
  }, path)
