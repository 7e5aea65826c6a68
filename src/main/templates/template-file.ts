import { type Template, TemplateContent, TemplateFile, type TemplateImport } from '#shared/bridge/template'
import { maskedCommand, maskedScript } from '../core/masked-command'

/** Returns the lines of a script, counted from 1, that look like they hold a secret. A private key counts as one. Pure. */
export function secretLinesOf(script: string): number[] {
  const lines = script.split('\n')
  // The further lines of a private key are empty in the masked script.
  return maskedScript(script)
    .split('\n')
    .flatMap((masked, index) => (masked === '' || masked === lines[index] ? [] : [index + 1]))
}

/** Returns a template without values of scripts and SSH options that look secret. Pure. */
const withoutSecrets = (template: TemplateContent): TemplateContent => ({
  ...template,
  initScript: maskedScript(template.initScript),
  commands: maskedScript(template.commands),
  ssh: { ...template.ssh, options: template.ssh.options && maskedCommand(template.ssh.options) },
})

/** Returns the number of lines of a template from which an export leaves out values. Pure. */
export const leftOutOf = ({ initScript, commands, ssh }: TemplateContent): number =>
  [initScript, commands, ssh.options ?? ''].flatMap(secretLinesOf).length

/** Returns the text of an exported template, without values of scripts and SSH options that look secret. Pure. */
export function templateText(template: Template): string {
  const content = withoutSecrets(TemplateContent.parse(template))
  const file: TemplateFile = { format: 'wheelhouse-template', version: 1, template: content }
  return `${JSON.stringify(file, null, 2)}\n`
}

type Refused = Extract<TemplateImport, { kind: 'refused' }>
const refused = (why: Refused['why'], field: string | null = null): Refused => ({
  kind: 'refused',
  why,
  field,
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the text of an exported template. Returns the reason and the field if it is not one. Pure, never throws. */
export function readTemplate(text: string): TemplateContent | Refused {
  const value = parsed(text)
  if (value === undefined) return refused('not-json')
  const head = TemplateFile.pick({ format: true }).safeParse(value)
  if (!head.success) return refused('not-a-template')
  const read = TemplateFile.safeParse(value)
  if (read.success) return read.data.template
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(String)
  return path[0] === 'version' ? refused('later-version') : refused('field', path.slice(1).join('.'))
}
