/** Whether what is dragged over the window, or dropped on it, is files and folders of this computer. */
export const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true

/** What becomes of files that are dragged over the rows of a list, by the ids of these. */
export interface RowFiles {
  takes(id: string): boolean
  drop(id: string): void
}
