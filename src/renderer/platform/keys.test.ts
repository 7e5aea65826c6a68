// @vitest-environment happy-dom
import { describe, expect, it, onTestFinished } from 'vitest'
import { guardComposition, shortcutKey } from './keys'

const key = (name: string, more: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })

describe('a key that an input method handles', () => {
  function listening(className: string) {
    onTestFinished(guardComposition(document))
    const target = document.createElement('div')
    target.className = className
    document.body.replaceChildren(target)
    const received: string[] = []
    target.addEventListener('keydown', (event) => received.push(event.key))
    return { target, received }
  }

  it.each([{ isComposing: true }, { keyCode: 229 }])('reaches no handler of the window: %o', (composing) => {
    const { target, received } = listening('')
    for (const name of ['Enter', 'Backspace', 'ArrowDown', 'Escape'])
      target.dispatchEvent(key(name, composing))
    expect(received).toEqual([])
    target.dispatchEvent(key('Enter'))
    expect(received).toEqual(['Enter'])
  })

  it('reaches a terminal, which follows the composition itself', () => {
    const { target, received } = listening('xterm')
    target.dispatchEvent(key('Enter', { isComposing: true }))
    expect(received).toEqual(['Enter'])
  })
})

describe('shortcutKey', () => {
  it.each([
    ['Russian', 'л', 'KeyK', 'k'],
    ['Greek', 'Κ', 'KeyK', 'k'],
    ['Hebrew', 'ל', 'KeyK', 'k'],
    ['Dvorak', 'k', 'KeyV', 'k'],
    ['AZERTY', 'a', 'KeyQ', 'a'],
    ['German', 'ö', 'Semicolon', 'ö'],
    ['Latin with Shift', 'D', 'KeyD', 'd'],
    ['any', 'Enter', 'Enter', 'enter'],
    ['any', 'ф', '', 'ф'],
  ])('on a %s layout %s at %s is %s', (_layout, name, code, expected) => {
    expect(shortcutKey(key(name, { code }))).toBe(expected)
  })
})
