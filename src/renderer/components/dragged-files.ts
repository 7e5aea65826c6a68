/** Whether what is dragged over the window, or dropped on it, is files and folders of this computer. */
export const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true
