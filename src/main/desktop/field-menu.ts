import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import { translate } from '#shared/messages/index'

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText'> & {
  readonly editFlags: Pick<
    ContextMenuParams['editFlags'],
    'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >
}

/** Returns the menu of a right click on a field or on selected text; empty elsewhere. */
export function fieldMenu({ isEditable, selectionText, editFlags }: Clicked): MenuItemConstructorOptions[] {
  const item = (role: 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll', enabled: boolean) => ({
    role,
    enabled,
    label: translate(`desktop.fieldMenu.${role}`),
  })
  const copy = item('copy', editFlags.canCopy)
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  return [
    item('undo', editFlags.canUndo),
    item('redo', editFlags.canRedo),
    { type: 'separator' },
    item('cut', editFlags.canCut),
    copy,
    item('paste', editFlags.canPaste),
    { type: 'separator' },
    item('selectAll', editFlags.canSelectAll),
  ]
}
