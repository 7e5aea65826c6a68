export const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true

/** Handles files that are dragged over the rows of a list, by the row's id. */
export interface RowFiles {
  takes(id: string): boolean
  drop(id: string): void
}
