import { randomUUID } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import {
  Template,
  type templateCalls,
  type TemplateImport,
  templateLimits,
  type TemplateView,
} from '#shared/bridge/template'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { numberedName } from '#shared/next-name'
import { fileFailure } from '../core/failure-of'
import { defineModule } from '../core/module'
import type { InitScripts } from '../creation/init-scripts'
import type { Sections } from '../store/settings'
import { leftOutOf, readTemplate, secretLinesOf, templateText } from './template-file'

export interface TemplatesDeps {
  readonly documents: Sections
  readonly initScripts: Pick<InitScripts, 'scriptOf'>
  /** Asks the user for a file, with a suggested name; null if the user cancels. */
  chooseTarget(name: string): Promise<string | null>
  /** Asks the user for an exported template; null if the user cancels. */
  chooseTemplate(): Promise<string | null>
}

const TemplateDocument = z.object({ templates: z.array(Template).default([]) })

const viewOf = (template: Template): TemplateView => ({
  ...template,
  secretLines: {
    initScript: secretLinesOf(template.initScript),
    commands: secretLinesOf(template.commands),
  },
})

/** Returns a name for a file without characters that a file system rejects. */
const fileNameOf = (name: string): string =>
  `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '') || 'template'}.json`

/** Stores templates of machines as a private document: names and scripts are encrypted on disk. */
export function createTemplates({ documents, initScripts, chooseTarget, chooseTemplate }: TemplatesDeps) {
  const section = documents.section('templates', TemplateDocument)
  const changes = createEmitter<EventPayload<'templates.changed'>>()
  const all = (): readonly Template[] => section.read().templates
  const emit = (): void => changes.emit({ templates: all().map(viewOf) })
  section.onLoad(emit)

  async function change(update: (templates: readonly Template[]) => readonly Template[]): Promise<void> {
    const written = section.change(({ templates }) => ({ templates: [...update(templates)] }))
    emit()
    await written
  }
  async function save(template: Template): Promise<TemplateView> {
    const others = all().filter(({ id }) => id !== template.id)
    if (others.length >= templateLimits.templates)
      throw new FailureError({ kind: 'invalid-input', field: 'templates', reason: 'out-of-range' })
    if (others.some(({ name }) => name === template.name))
      throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'already-there' })
    await change((templates) => [...templates.filter(({ id }) => id !== template.id), template])
    return viewOf(template)
  }

  /** Asks for a file and writes a template to it. Fails with cancelled, disk-full and local-fault. */
  async function exportOne(id: string): Promise<{ file: string; leftOut: number }> {
    const template = all().find((one) => one.id === id)
    if (!template) throw new FailureError({ kind: 'invalid-input', field: 'template', reason: 'unknown' })
    const path = await chooseTarget(fileNameOf(template.name))
    if (path === null) throw new FailureError({ kind: 'cancelled' })
    try {
      await writeFile(path, templateText(template), { mode: 0o600 })
    } catch (error) {
      throw fileFailure(error, 'templates.writeFile')
    }
    return { file: basename(path), leftOut: leftOutOf(template) }
  }

  async function importOne(): Promise<TemplateImport> {
    const path = await chooseTemplate()
    if (path === null) return { kind: 'cancelled' }
    let text: string
    try {
      const { size } = await stat(path)
      if (size > templateLimits.file) return { kind: 'refused', why: 'too-large', field: null }
      text = await readFile(path, 'utf8')
    } catch (error) {
      throw fileFailure(error, 'templates.readFile')
    }
    const read = readTemplate(text)
    if ('kind' in read) return read
    const names = new Set(all().map((template) => template.name))
    const name = numberedName(read.name, names, templateLimits.name)
    return { kind: 'imported', template: await save({ ...read, name, id: randomUUID() }) }
  }

  const handlers: HandlersOf<typeof templateCalls> = {
    'templates.list': async () => {
      await section.ready()
      return all().map(viewOf)
    },
    'templates.save': ({ template }) => save(template),
    'templates.remove': ({ template }) =>
      change((templates) => templates.filter(({ id }) => id !== template)),
    'templates.initScript': async ({ account, machine }) => {
      const script = await initScripts.scriptOf(account, machine)
      return script === null ? null : { text: script, secretLines: secretLinesOf(script) }
    },
    'templates.export': ({ template }) => exportOne(template),
    'templates.import': importOne,
  }
  return defineModule({
    handlers,
    events: { 'templates.changed': changes.on },
    // Templates belong to no account: they name offers, which each account may have.
    forgetAccount: 'keeps-nothing',
  })
}
