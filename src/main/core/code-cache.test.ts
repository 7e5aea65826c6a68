import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useCodeCache } from './code-cache'

const source = "exports.answer = require('node:path').basename(__dirname) + module.id.slice(-10)"
const compiled = (text: string): Buffer => new Script(Module.wrap(text)).createCachedData()
const whole = (text = source, code = compiled(text)): Buffer =>
  Buffer.concat([createHash('sha256').update(text).update(code).digest(), code])
const withByteChanged = (file: Buffer, at: number): Buffer => {
  file.writeUInt8(file.readUInt8(at) ^ 0x5a, at)
  return file
}

describe('a script with a code cache', () => {
  const load = createRequire(import.meta.url)
  const usual = load.extensions['.cjs']
  let folder = ''
  let script = ''
  /** Scripts loaded without a cache. */
  let compiledByNode = 0

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'code-cache-'))
    script = join(folder, 'script.cjs')
    writeFileSync(script, source)
    compiledByNode = 0
    const { extensions } = load
    useCodeCache({
      '.json': extensions['.json'],
      '.node': extensions['.node'],
      '.js': (module, filename) => {
        compiledByNode += 1
        extensions['.js'](module, filename)
      },
      set '.cjs'(loader: NodeJS.RequireExtensions['.js']) {
        extensions['.cjs'] = loader
      },
    })
  })
  afterEach(() => {
    if (usual) load.extensions['.cjs'] = usual
    else delete load.extensions['.cjs']
    rmSync(folder, { recursive: true })
  })

  const answer = (): unknown => load(script)
  const expected = () => ({ answer: expect.stringMatching(/^code-cache-.*script\.cjs$/) })

  it('runs from the cache as Node would run it', () => {
    writeFileSync(`${script}.cache`, whole())
    expect(answer()).toEqual(expected())
    expect(compiledByNode).toBe(0)
  })

  it('loads as usual without a cache', () => {
    expect(answer()).toEqual(expected())
    expect(compiledByNode).toBe(1)
  })

  // V8 runs code with a wrong byte as it is, which ends the process. It only checks the length of the source.
  it.each([
    ['damaged', () => withByteChanged(whole(), 100)],
    ['damaged in its digest', () => withByteChanged(whole(), 3)],
    ['cut off', () => whole().subarray(0, -1)],
    ['shorter than a digest', () => whole().subarray(0, 20)],
    ['empty', () => Buffer.alloc(0)],
    ['that of another text of the same length', () => whole(source.replace(' + ', ' - '))],
  ])('loads as usual if the cache is %s', (_what, file) => {
    writeFileSync(`${script}.cache`, file())
    expect(answer()).toEqual(expected())
    expect(compiledByNode).toBe(1)
  })

  it('is compiled again if V8 rejects the cache', () => {
    const code = compiled(source)
    // Hash of V8's version.
    code.writeUInt32LE(1, 4)
    writeFileSync(`${script}.cache`, whole(source, code))
    expect(answer()).toEqual(expected())
    expect(compiledByNode).toBe(0)
  })
})
