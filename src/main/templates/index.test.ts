import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installation } from '../../../test/fixtures/private-documents'
import { templateFixture } from '../../../test/fixtures/template'
import { openSettings, type Sections } from '../store/settings'
import { createTemplates } from './index'

const open = (documents?: Sections, script: string | null = null) => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-templates-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let path: string | null = join(folder, 'shared.json')
  const asked: string[] = []
  const module = createTemplates({
    documents: documents ?? openSettings(folder),
    initScripts: { scriptOf: () => Promise.resolve(script) },
    chooseTarget: (name) => {
      asked.push(name)
      return Promise.resolve(path)
    },
    chooseTemplate: () => Promise.resolve(path),
  })
  const { handlers } = module
  return {
    handlers,
    asked,
    file: join(folder, 'shared.json'),
    cancelDialogs: () => (path = null),
    names: async () => (await handlers['templates.list']({})).map(({ name }) => name),
  }
}
const template = templateFixture()

it('the script of a machine names its secret lines, and an unknown one is not an empty one', async () => {
  const machine = { account: 'abcdefghijkl', machine: 'm-1' }
  const read = (script: string | null) => open(undefined, script).handlers['templates.initScript'](machine)
  expect(await read('#!/bin/bash\nexport HF_TOKEN=hf_abcdefghijklmnop\n')).toEqual({
    text: '#!/bin/bash\nexport HF_TOKEN=hf_abcdefghijklmnop\n',
    secretLines: [2],
  })
  expect(await read('')).toEqual({ text: '', secretLines: [] })
  expect(await read(null)).toBeNull()
})

describe('templates', () => {
  it('are added, replaced by their id and removed', async () => {
    const { handlers, names } = open()
    await handlers['templates.save']({ template })
    await handlers['templates.save']({ template: { ...template, name: 'Renamed' } })
    expect(await names()).toEqual(['Renamed'])
    await handlers['templates.remove']({ template: template.id })
    expect(await names()).toEqual([])
  })

  it('have different names: an equal one is refused, or numbered in an import', async () => {
    const { handlers, names } = open()
    await handlers['templates.save']({ template })
    const other = { ...template, id: '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a29' }
    await expect(handlers['templates.save']({ template: other })).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'name', reason: 'already-there' },
    })
    await handlers['templates.export']({ template: template.id })
    await handlers['templates.import']({})
    await handlers['templates.import']({})
    expect(await names()).toEqual(['Training', 'Training 2', 'Training 3'])
  })

  it('are encrypted on disk and found after a restart', async () => {
    const computer = installation()
    const first = computer.start()
    await first.open()
    await open(first.documents).handlers['templates.save']({
      template: { ...template, name: 'canary-name', initScript: 'canary-script' },
    })
    await first.quit()
    expect(computer.plainText()).not.toContain('canary')
    const second = computer.start()
    const { names } = open(second.documents)
    await second.open()
    expect(await names()).toEqual(['canary-name'])
  })

  it('are written to a file without secrets, and read from it under a new id', async () => {
    const { handlers, asked, file } = open()
    await handlers['templates.save']({
      template: {
        ...template,
        name: 'A/B test',
        initScript: '#!/bin/sh\nexport API_KEY=abc123',
        ssh: { ...template.ssh, options: 'SetEnv=HF_TOKEN=def456' },
      },
    })
    expect(await handlers['templates.export']({ template: template.id })).toEqual({
      file: 'shared.json',
      leftOut: 2,
    })
    expect(asked).toEqual(['A-B-test.json'])
    expect(readFileSync(file, 'utf8')).not.toMatch(/abc123|def456/)
    const read = await handlers['templates.import']({})
    expect(read).toMatchObject({ kind: 'imported', template: { name: 'A/B test 2', machineName: 'train-1' } })
    expect(read.kind === 'imported' && read.template.id).not.toBe(template.id)
  })

  it('are not imported from another file, which names the reason, and nothing is kept', async () => {
    const { handlers, file, names } = open()
    writeFileSync(file, '{}')
    expect(await handlers['templates.import']({})).toEqual({
      kind: 'refused',
      why: 'not-a-template',
      field: null,
    })
    writeFileSync(file, 'x'.repeat(1_048_577))
    expect(await handlers['templates.import']({})).toMatchObject({ why: 'too-large' })
    expect(await names()).toEqual([])
  })

  it('do nothing if the user cancels a dialog', async () => {
    const { handlers, cancelDialogs } = open()
    await handlers['templates.save']({ template })
    cancelDialogs()
    await expect(handlers['templates.export']({ template: template.id })).rejects.toMatchObject({
      failure: { kind: 'cancelled' },
    })
    expect(await handlers['templates.import']({})).toEqual({ kind: 'cancelled' })
  })

  it('show which lines of their scripts look secret', async () => {
    const { handlers } = open()
    const saved = await handlers['templates.save']({
      template: { ...template, initScript: 'echo\nexport TOKEN=abc', commands: 'PASSWORD=x ./run' },
    })
    expect(saved.secretLines).toEqual({ initScript: [2], commands: [1] })
  })
})
