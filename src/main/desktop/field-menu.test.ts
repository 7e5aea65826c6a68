import { describe, expect, it } from 'vitest'
import { fieldMenu } from './field-menu'

const none = {
  canUndo: false,
  canRedo: false,
  canCut: false,
  canCopy: false,
  canPaste: false,
  canSelectAll: false,
}
const enabled = (items: ReturnType<typeof fieldMenu>) =>
  items.filter((item) => item.enabled === true).map(({ role }) => role)

describe('the menu of a right click', () => {
  it('in a field offers what can be done there', () => {
    const items = fieldMenu({
      isEditable: true,
      selectionText: 'H100',
      editFlags: { ...none, canUndo: true, canCut: true, canCopy: true, canPaste: true, canSelectAll: true },
    })
    expect(enabled(items)).toEqual(['undo', 'cut', 'copy', 'paste', 'selectAll'])
    expect(items.map(({ label }) => label)).toContain('Select all')
  })

  it('in a password field copies nothing', () => {
    const editFlags = { ...none, canPaste: true, canSelectAll: true }
    expect(enabled(fieldMenu({ isEditable: true, selectionText: '', editFlags }))).toEqual([
      'paste',
      'selectAll',
    ])
  })

  it('on selected text copies it, and is empty elsewhere', () => {
    const editFlags = { ...none, canCopy: true }
    expect(enabled(fieldMenu({ isEditable: false, selectionText: '10.0.0.5', editFlags }))).toEqual(['copy'])
    expect(fieldMenu({ isEditable: false, selectionText: ' ', editFlags })).toEqual([])
  })
})
