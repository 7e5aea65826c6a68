import { type Template, TemplateContent, TemplateFile, type TemplateImport } from '#shared/bridge/template'
import { maskedCommand } from '../gpu/tools/programs'

/** Returns the lines of a script, counted from 1, that look like they hold a secret. Pure. */
export const secretLinesOf = (script: string): number[] =>
  script.split('\n').flatMap((line, index) => (maskedCommand(line) === line ? [] : [index + 1]))

/** Returns a script without values that look secret. Pure. */
const withoutSecrets = (script: string): string => script.split('\n').map(maskedCommand).join('\n')

/** Returns the text of an exported template, without values of scripts and SSH options that look secret. Pure. */
export function templateText(template: Template): string {
  const { initScript, commands, ssh } = template
  const content = TemplateContent.parse({
    ...template,
    initScript: withoutSecrets(initScript),
    commands: withoutSecrets(commands),
    ssh: { ...ssh, options: ssh.options === null ? null : maskedCommand(ssh.options) },
  })
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
