import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Clipboard, secretClipboard } from './secret-clipboard'
import { type ClipboardFormats, secretFormats } from './secret-formats'
import { secretMarker } from './secret-marker'

describe('a secret on the clipboard', () => {
  let held: string
  let refuses: boolean
  let rings: Map<number, () => void>
  let folder: string
  let file: string
  let secrets: ReturnType<typeof secretClipboard>
  const after = (seconds: number, task: () => void) => {
    rings.set(seconds, task)
    return () => rings.delete(seconds)
  }
  const asText: Clipboard = {
    readText: () => held,
    writeText: (text) => {
      if (refuses) return Promise.reject(new Error('busy'))
      held = text
      return Promise.resolve()
    },
  }

  /** Starts the application once. */
  const start = (clipboard = asText) => secretClipboard(clipboard, 'linux', after, secretMarker(file))

  beforeEach(() => {
    held = ''
    refuses = false
    rings = new Map()
    folder = mkdtempSync(join(tmpdir(), 'wheelhouse-clipboard-'))
    file = join(folder, 'copied-secret')
    secrets = start()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is available at once and removed after 30 s', async () => {
    expect(await secrets.copy('hunter2')).toEqual({ clearsAfter: 30, isConcealed: false })
    expect(held).toBe('hunter2')
    rings.get(30)?.()
    await expect.poll(() => held).toBe('')
    expect(secrets.pending()).toBe(false)
  })

  it('carries the formats that exclude it from histories if the runtime can write them', async () => {
    const written: ClipboardFormats[] = []
    const concealing = start({
      ...asText,
      writeFormats: (formats) => {
        written.push(formats)
        held = formats['text/plain'] ?? ''
        return Promise.resolve()
      },
    })
    expect(await concealing.copy('hunter2')).toEqual({ clearsAfter: 30, isConcealed: true })
    expect(written).toEqual([secretFormats('hunter2', 'linux')])
    rings.get(30)?.()
    await expect.poll(() => held).toBe('')
  })

  it('is written as text only, and reported so, if the formats are refused', async () => {
    const refusing = { ...asText, writeFormats: () => Promise.reject(new Error('no such format')) }
    expect(await start(refusing).copy('hunter2')).toEqual({
      clearsAfter: 30,
      isConcealed: false,
    })
    expect(held).toBe('hunter2')
  })

  it('is not removed if the user copied something else since', async () => {
    await secrets.copy('hunter2')
    held = 'something else'
    await secrets.clear()
    expect(held).toBe('something else')
  })

  it('stays its whole time if it is the last of several', async () => {
    await secrets.copy('first')
    const early = rings.get(30)
    await secrets.copy('second')
    expect(rings.get(30)).not.toBe(early)
    expect(rings.size).toBe(1)
  })

  it('is removed at once when the application quits', async () => {
    await secrets.copy('hunter2')
    expect(secrets.pending()).toBe(true)
    await secrets.clear()
    expect(held).toBe('')
    expect(rings.size).toBe(0)
  })

  it('is removed on quit if it could not be removed before', async () => {
    await secrets.copy('hunter2')
    refuses = true
    await expect(secrets.clear()).rejects.toThrow('busy')
    expect(secrets.pending()).toBe(true)
    refuses = false
    await secrets.clear()
    expect([held, secrets.pending()]).toEqual(['', false])
  })

  it('stays its whole time if it is copied while the previous one is being removed', async () => {
    await secrets.copy('first')
    const cleared = secrets.clear()
    await secrets.copy('second')
    await cleared
    expect([held, secrets.pending(), rings.size]).toEqual(['second', true, 1])
  })

  it('is not reported as copied if writing failed, and the previous one is still removed', async () => {
    refuses = true
    await expect(secrets.copy('hunter2')).rejects.toThrow('busy')
    expect([secrets.pending(), rings.size]).toEqual([false, 0])
    refuses = false
    await secrets.copy('first')
    refuses = true
    await expect(secrets.copy('second')).rejects.toThrow('busy')
    refuses = false
    rings.get(30)?.()
    await expect.poll(() => held).toBe('')
  })

  it('is removed at the next start after a crash', async () => {
    await secrets.copy('hunter2')
    start().focused()
    await expect.poll(() => held).toBe('')
    await expect.poll(() => existsSync(file)).toBe(false)
  })

  it('is not confused at the next start with text that the user copied since', async () => {
    await secrets.copy('hunter2')
    held = 'something else'
    start().focused()
    await expect.poll(() => existsSync(file)).toBe(false)
    expect(held).toBe('something else')
  })

  it('leaves too little on disk to guess it, and nothing after its removal', async () => {
    await secrets.copy('hunter2')
    expect(readdirSync(folder)).toEqual(['copied-secret'])
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"salt":"[0-9a-f]{32}","digest":"[0-9a-f]{4}"\}$/)
    const first = readFileSync(file, 'utf8')
    await secrets.copy('hunter2')
    expect(readFileSync(file, 'utf8'), 'the salt is new each time').not.toBe(first)
    await secrets.clear()
    expect(readdirSync(folder)).toEqual([])
    refuses = true
    await expect(secrets.copy('hunter2')).rejects.toThrow('busy')
    expect(readdirSync(folder)).toEqual([])
  })

  describe('under Wayland, which drops writes without focus silently', () => {
    let isFocused: boolean
    let kept: number
    beforeEach(() => {
      isFocused = true
      kept = 0
      const dropping: Clipboard = {
        readText: () => held,
        writeText: (text) => {
          if (isFocused) held = text
        },
      }
      secrets = secretClipboard(dropping, 'linux', after, secretMarker(file), () => isFocused)
      secrets.onOverdue(() => void (kept += 1))
    })

    it('stays pending, is reported, and is removed with the focus', async () => {
      await secrets.copy('hunter2')
      isFocused = false
      rings.get(30)?.()
      expect([held, secrets.pending(), kept]).toEqual(['hunter2', true, 1])
      isFocused = true
      secrets.focused()
      await expect.poll(() => held).toBe('')
      expect(secrets.pending()).toBe(false)
    })

    it('stays its whole time if the window has the focus before', async () => {
      await secrets.copy('hunter2')
      secrets.focused()
      await secrets.copy('again')
      secrets.focused()
      expect([held, secrets.pending(), kept]).toEqual(['again', true, 0])
    })

    it('is replaced by a newer one, which stays its own time', async () => {
      await secrets.copy('first')
      isFocused = false
      rings.get(30)?.()
      isFocused = true
      await secrets.copy('second')
      secrets.focused()
      expect([held, secrets.pending()]).toEqual(['second', true])
    })
  })
})
