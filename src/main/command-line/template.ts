import { translate } from '#shared/messages/index'
import type { MachinePlan, Template } from '#shared/bridge/template'
import { lacksValues } from '#shared/secret-mask'
import { oneLine } from '../core/one-line'
import type { CommandInput } from './command'
import type { Context } from './context'
import { CommandFailure } from './failure'
import type { OptionName } from './options'

/** Returns the template with this name or id; null without --template. Fails with notFound and usage. */
async function templateOf({ call, text }: Context, { value }: CommandInput): Promise<Template | null> {
  const word = value('template')
  if (word === undefined) return null
  const all = await call('templates.list', {})
  const template = all.find(({ id, name }) => id === word || name === word)
  const values = { name: oneLine(word) }
  if (template && template.volume !== null)
    throw new CommandFailure('usage', text('errors.templateVolume', values))
  if (template && [template.initScript, template.commands, template.ssh.options].some(lacksValues))
    throw new CommandFailure('usage', text('errors.templateValues', values))
  if (template) return template
  const names = all.map(({ name }) => oneLine(name)).join(translate('common.listSeparator'))
  throw new CommandFailure('notFound', text('errors.unknownTemplate', { ...values, names }))
}

/** Returns the work after the creation. Its end is not armed, and it allows no SSH: a command is no answer to that. */
const planOf = (template: Template): MachinePlan => {
  const { name, flavor, region, image, volume, key, volumes, firewall, ssh, commands } = template
  return {
    template: name,
    wanted: { flavor, region, image, volume, key },
    volumes,
    firewall,
    ssh,
    commands,
    end: null,
    isEndArmed: false,
    isSshAllowed: false,
  }
}

/**
 * Adds the values of --template to an input, unless other options replace them. `prepare` stores the work after a creation.
 * `notes`: texts about work that needs the user.
 */
export async function withTemplate(
  context: Context,
  input: CommandInput,
  endNote: 'templateEnd' | 'agentTemplateEnd' = 'templateEnd',
) {
  const template = await templateOf(context, input)
  const defaults: Partial<Record<OptionName, string | null>> = template
    ? { flavor: template.flavor, image: template.image, key: template.key }
    : {}
  // The region belongs to the flavor of the template.
  if (template && input.value('flavor') === undefined) defaults.region = template.region
  const { text } = context
  const notes: string[] = []
  if (template?.end) notes.push(text(endNote, { name: oneLine(template.name) }))
  if (template && template.commands.trim() !== '')
    notes.push(text('templateCommands', { name: oneLine(template.name) }))
  return {
    input: { ...input, value: (name: OptionName) => input.value(name) ?? defaults[name] ?? undefined },
    script: template && template.initScript.trim() !== '' ? template.initScript : undefined,
    notes,
    /** Name of the machine; empty without a template, or if the template has none. */
    machineName: template?.machineName ?? '',
    async prepare(account: string, request: string, name: string): Promise<void> {
      if (template)
        await context.call('plans.prepare', {
          account,
          request,
          name,
          plan: planOf(template),
          confirmedName: null,
        })
    },
  }
}
