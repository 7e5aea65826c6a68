import type { AccountId } from '#shared/bridge/account'
import { createCheckUps } from '../check-up/index'
import { createCommands } from '../commands/index'
import { createProcesses } from '../commands/processes'
import { createKeptSessions } from '../commands/kept-sessions'
import { createFiles } from '../files/index'
import type { ForgetGoneDeps } from '../fleet/forget-gone'
import { createSshAliases } from '../ssh/aliases/index'
import { systemPlaces } from '../ssh/aliases/names-in-use'
import { aliasFileOf } from '../ssh/aliases/ssh-config-parser'
import { createAskpass } from '../ssh/askpass/index'
import { createEditors } from '../ssh/editors/index'
import { createSsh } from '../ssh/index'
import { createSshKeys } from '../ssh/keys/index'
import { listKeys } from '../ssh/keys/key-list'
import { createSshConsents, openConsents } from '../ssh/machines/consents'
import { createSshMachines } from '../ssh/machines/index'
import { createTerminals } from '../terminals/index'
import { createSessions } from '../terminals/open-session'
import { createTunnels } from '../tunnels/index'
import type { AccountModules } from './account-modules'
import type { ModuleParts } from './host-environment'
import type { ResourceModules } from './resource-modules'
import { holderOf } from './secrets'

export function createConnectionModules(
  parts: ModuleParts,
  { accounts, preferences }: AccountModules,
  resources: ResourceModules,
) {
  const { home, platform, env, settings } = parts
  const { fleet, bareMetal } = resources
  const machine = (account: AccountId, id: string) => holderOf(resources, account, id).view(account, id)
  const confirmsHostKeys = () => preferences.read().confirmsHostKeys ?? false

  const terminals = createTerminals(parts)
  const askpass = createAskpass({
    ...parts,
    password: (account, id) =>
      machine(account, id)?.hasPassword
        ? holderOf(resources, account, id).secret(account, { kind: 'machine-password', machine: id })
        : null,
    keyPaths: async () => {
      const { keys } = await listKeys({ home, platform, env: {} })
      return keys.flatMap(({ path }) => path ?? [])
    },
  })
  const sshKeys = createSshKeys({
    ...parts,
    askpass,
    machineName: (account, id) => machine(account, id)?.name,
  })
  const ssh = createSsh({
    ...parts,
    keys: sshKeys,
    askpass,
    machine,
    confirmsHostKeys,
    hasPty: terminals.hasPty,
    terminal: () => preferences.read().terminal,
    defaults: (account) => accounts.sshDefaults(account),
  })
  const sessions = createSessions({
    ...parts,
    ssh,
    terminals,
    askpass,
    keys: sshKeys,
    async untilKnown(account, id) {
      const instance = bareMetal.views(account).find((view) => view.id === id)
      if (instance?.presence === 'unread') await bareMetal.refresh(account).catch(() => undefined)
      else if (!machine(account, id) && fleet.snapshot(account)?.status.asOf === null)
        await fleet.refresh(account).catch(() => undefined)
    },
  })
  const sshAliases = createSshAliases({
    ...parts,
    accounts,
    ssh,
    keys: sshKeys,
    confirmsHostKeys,
    system: systemPlaces(platform, env),
    fileName: aliasFileOf(parts.folder, parts.usualFolder),
    machines: (account) => {
      const list = fleet.snapshot(account)
      if (!list || list.status.asOf === null) return null
      const instances = bareMetal.views(account).filter(({ presence }) => presence !== 'gone')
      const unread = instances.filter(({ presence }) => presence === 'unread').map(({ id }) => id)
      return { machines: [...list.machines, ...instances], unread: new Set(unread) }
    },
    onChanges: [fleet.onChange, bareMetal.onChange, ssh.onReachChange, preferences.onChange],
  })
  const editors = createEditors({ ...parts, aliasOf: sshAliases.aliasOf })

  const details: ForgetGoneDeps['details'] = [
    (account, id) => accounts.service(account).machines.get(id),
    (account, id) => accounts.service(account).bareMetal.get(id),
  ]
  const consents = openConsents(settings)
  const overSsh = {
    ...parts,
    accounts,
    fleet,
    ssh,
    machine,
    consents,
    details,
    onMachines: (listener: (change: unknown) => void) => {
      const ends = [fleet.onChange(listener), bareMetal.onChange(listener)]
      return () => ends.forEach((end) => end())
    },
    onGone: fleet.onGone,
  }
  const sshConsents = createSshConsents(overSsh)
  const sshMachines = createSshMachines(overSsh)
  const tunnels = createTunnels({ ...overSsh, sshMachines })
  const files = createFiles({
    ...overSsh,
    sshMachines,
    outerLinks: () => preferences.read().outerLinks ?? 'ask',
  })
  const commands = createCommands({ ...overSsh, sshMachines })
  const processes = createProcesses({ ...overSsh, sshMachines })
  const checkUps = createCheckUps({ ...overSsh, sshMachines })
  const keptSessions = createKeptSessions(commands, terminals.keptTitle)

  const modules = {
    ssh,
    sshKeys,
    askpass,
    sshAliases,
    editors,
    terminals,
    sessions,
    sshConsents,
    sshMachines,
    tunnels,
    files,
    commands,
    processes,
    checkUps,
    keptSessions,
  }
  return { modules, consents, details }
}
