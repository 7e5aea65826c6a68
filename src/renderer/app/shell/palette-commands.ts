import { computed, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import type { Settings } from '#shared/bridge/app'
import { resourceKey } from '#shared/resource-key'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { t } from '../../platform/i18n'
import { useToast } from '../../components/toast'
import { statusText } from '../../features/machine-text'
import { useAccounts } from '../../stores/accounts'
import { useApp } from '../../stores/app'
import { useFleet } from '../../stores/fleet'
import { useConnectMachine } from '../../features/connection/connect-machine'
import { useLastMachine } from '../../features/creation/last-machine'
import { showMachine } from '../../features/navigation/navigate'
import { settingsSections } from '../../pages/settings/settings-sections'
import { useNavigation } from './navigation-entries'
import { useMachineCommands } from './palette-machines'
import { useResourceCommands } from './palette-resources'
import { type Command, distinctions, mostActedOn, namedFirst } from './palette-search'

const themes: readonly Settings['theme'][] = ['system', 'dark', 'light']

/** Everything that the palette can do now: machines of every account, volumes, pages, settings, accounts, the theme. */
export function usePaletteCommands(query: Readonly<Ref<string>>, showShortcuts: () => void) {
  const app = useApp()
  const accounts = useAccounts()
  const fleet = useFleet()
  const router = useRouter()
  const toast = useToast()
  const navigation = useNavigation()
  const connectMachine = useConnectMachine()
  const commandsOf = useMachineCommands()
  const resources = useResourceCommands(query)
  const last = useLastMachine()

  const attempt = (title: string, act: () => Promise<unknown>) => () =>
    act().catch((error: unknown) => toast.failed(error, title))

  /** What can be done to machines, once something is typed: to those that it names, or else to the first ones. */
  const actions = computed((): readonly Command[] => {
    if (query.value.trim() === '') return []
    const all = accounts.all.flatMap((account) =>
      [...(fleet.fleets.get(account.id)?.items.values() ?? [])].map((machine) => ({
        account,
        machine,
        name: machine.name,
      })),
    )
    const apart = distinctions(all.map(({ machine }) => machine))
    return namedFirst(all, query.value)
      .slice(0, mostActedOn)
      .flatMap(({ account, machine }) =>
        commandsOf(
          account.id,
          machine,
          `${accounts.all.length > 1 ? account.label : ''}${apart(machine)}`.replace(/^ · /, ''),
        ),
      )
  })

  return computed<readonly Command[]>(() => {
    const machines: Command[] = []
    const sessions: Command[] = []
    // The account that is looked at comes first.
    const ordered = [...accounts.all].sort(
      (one, other) => Number(other.id === accounts.selected?.id) - Number(one.id === accounts.selected?.id),
    )
    for (const account of ordered) {
      const listed = [...(fleet.fleets.get(account.id)?.items.values() ?? [])]
      const apart = distinctions(listed)
      for (const machine of listed) {
        const place = accounts.all.length > 1 ? `${account.label} · ` : ''
        machines.push({
          id: `machine/${resourceKey(account.id, machine.id)}`,
          group: 'machines',
          title: machine.name,
          hint: `${place}${statusText(machine.status)}${apart(machine)}`,
          run: attempt(machine.name, () => showMachine(router, account.id, machine.id)),
        })
        if (sshDisabledReason(machine) !== null) continue
        sessions.push({
          id: `ssh/${resourceKey(account.id, machine.id)}`,
          group: 'machines',
          title: t('common.palette.connectTo', { machine: machine.name }),
          hint: `${place}${t('common.palette.connectHint')}${apart(machine)}`,
          run: attempt(machine.name, () => connectMachine(account.id, machine)),
        })
      }
    }
    const settings = settingsSections.map(({ id, title }): Command => ({
      id: `settings/${id}`,
      group: 'settings',
      title: t(title),
      hint: t('common.navigation.settings'),
      also: t(`common.palette.also.${id}`),
      run: () => router.push({ name: 'settings', query: { section: id } }),
    }))
    const views = (['costs', 'statements', 'usage'] as const).map((view): Command => ({
      id: `billing/${view}`,
      group: 'pages',
      title: t(`billing.views.${view}`),
      hint: t('common.navigation.billing'),
      also: view === 'costs' ? t('common.palette.also.costs') : '',
      run: () => router.push({ name: 'billing', params: { view } }),
    }))
    const pages = navigation.map((entry): Command => ({
      id: `page/${entry.name}`,
      group: 'pages',
      title: t(entry.label),
      hint: '',
      run: () => router.push({ name: entry.name }),
    }))
    const guide: Command = {
      id: 'page/guide',
      group: 'pages',
      title: t('common.guide.title'),
      hint: '',
      also: t('common.palette.also.guide'),
      run: () => router.push({ name: 'guide' }),
    }
    const shortcuts: Command = {
      id: 'shortcuts',
      group: 'pages',
      title: t('common.shortcuts.title'),
      hint: '?',
      also: t('common.palette.also.guide'),
      run: showShortcuts,
    }
    const createBareMetal: Command = {
      id: 'create/bare-metal',
      group: 'pages',
      title: t('creation.navigation.newBareMetal'),
      hint: '',
      run: () => router.push({ name: 'new-bare-metal' }),
    }
    const create: Command = {
      id: 'create/machine',
      group: 'pages',
      title: t('creation.navigation.newMachine'),
      hint: '',
      run: () => router.push({ name: 'new-machine' }),
    }
    const createLike: readonly Command[] = last.value
      ? [
          {
            id: 'create/like',
            group: 'pages',
            title: t('creation.anotherLike', { machine: last.value.name }),
            hint: '',
            run: () => router.push({ name: 'new-machine', query: { like: last.value?.id } }),
          },
        ]
      : []
    const refresh: Command = {
      id: 'refresh',
      group: 'pages',
      title: t('common.palette.refresh'),
      hint: '',
      run: attempt(t('common.palette.refresh'), fleet.refresh),
    }
    const others = accounts.all
      .filter(({ id }) => id !== accounts.selected?.id)
      .map(({ id, label }): Command => ({
        id: `account/${id}`,
        group: 'accounts',
        title: t('common.palette.switchTo', { account: label }),
        hint: '',
        run: attempt(label, () => accounts.select(id)),
      }))
    const add: Command = {
      id: 'account/add',
      group: 'accounts',
      title: t('common.palette.addAccount'),
      hint: '',
      run: () => router.push({ name: 'connect' }),
    }
    const appearance = themes
      .filter((theme) => theme !== app.settings.theme)
      .map((theme): Command => ({
        id: `theme/${theme}`,
        group: 'appearance',
        title: t(`common.palette.theme.${theme}`),
        hint: '',
        run: attempt(t('settings.appearance.theme'), () => app.change({ theme })),
      }))
    return [
      ...machines,
      ...sessions,
      ...resources.value,
      ...actions.value,
      ...pages,
      guide,
      shortcuts,
      ...views,
      create,
      ...createLike,
      createBareMetal,
      refresh,
      ...settings,
      ...others,
      add,
      ...appearance,
    ]
  })
}
