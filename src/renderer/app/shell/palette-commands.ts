import { computed, type Ref } from 'vue'
import { type RouteLocationRaw, type Router, useRouter } from 'vue-router'
import type { Settings } from '#shared/bridge/app'
import { languageNames, languages } from '#shared/locale'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useApp } from '../../stores/app'
import { useFleet } from '../../stores/fleet'
import { useTemplates } from '../../stores/templates'
import { useLastMachine } from '../../features/creation/last-machine'
import { useOneClick } from '../../features/templates/one-click'
import { readinessText } from '../../features/templates/readiness'
import { synonymsOf } from '../../pages/settings/settings-search'
import { settingsSections } from '../../pages/settings/settings-sections'
import { useNavigation } from './navigation-entries'
import { showAlerts, useAttempt } from './palette-actions'
import { useJobCommands } from './palette-jobs'
import { useMachineActions, useMachineCommands } from './palette-machines'
import { useResourceCommands } from './palette-resources'
import type { Command } from './palette-search'

const themes: readonly Settings['theme'][] = ['system', 'dark', 'light']

const link = (router: Router, command: Omit<Command, 'run'>, to: RouteLocationRaw): Command => ({
  ...command,
  run: () => router.push(to),
})

function usePageCommands(showShortcuts: () => void): () => readonly Command[] {
  const router = useRouter()
  const navigation = useNavigation()
  const lastMachine = useLastMachine()
  const templates = useTemplates()
  const oneClick = useOneClick()
  if (templates.list.length > 0) void oneClick.load()
  const page = (id: string, title: string, to: RouteLocationRaw, words: Partial<Command> = {}): Command =>
    link(router, { ...words, id, group: 'pages', title }, to)

  return () => {
    const guideKeywords = t('common.palette.also.guide')
    const views = (['costs', 'statements', 'usage'] as const).map((view) =>
      page(
        `billing/${view}`,
        t(`billing.views.${view}`),
        { name: 'billing', params: { view } },
        {
          hint: t('common.navigation.billing'),
          keywords: view === 'costs' ? t('common.palette.also.costs') : '',
        },
      ),
    )
    const creations = [page('create/machine', t('creation.navigation.newMachine'), { name: 'new-machine' })]
    if (lastMachine.value) {
      const { id, name } = lastMachine.value
      const to = { name: 'new-machine', query: { like: id } }
      creations.push(page('create/like', t('creation.anotherLike', { machine: name }), to))
    }
    for (const template of templates.list) {
      const { id, name } = template
      const readiness = oneClick.of(template)
      if (readiness.kind === 'ready')
        creations.push({
          id: `create/now/${id}`,
          group: 'pages',
          title: t('creation.fromTemplateNamed', { name }),
          hint: readinessText(readiness),
          run: () => oneClick.create(template, readiness),
        })
      creations.push(
        page(`create/template/${id}`, t('creation.fromTemplateForm', { name }), {
          name: 'new-machine',
          query: { template: id },
        }),
      )
    }
    creations.push(page('page/templates', t('creation.fromTemplate'), { name: 'templates' }))
    return [
      ...navigation.map(({ name, label }) => {
        const keywords = name === 'overview' ? `${t('waste.title')} ${t('jobs.title')}` : ''
        return page(`page/${name}`, t(label), { name }, { keywords })
      }),
      {
        id: 'alerts',
        group: 'pages',
        title: t('common.palette.alerts'),
        keywords: t('common.palette.also.notifications'),
        run: showAlerts,
      },
      page('page/guide', t('common.guide.title'), { name: 'guide' }, { keywords: guideKeywords }),
      {
        id: 'shortcuts',
        group: 'pages',
        title: t('common.shortcuts.title'),
        hint: '?',
        keywords: guideKeywords,
        run: showShortcuts,
      },
      ...views,
      ...creations,
      page('create/bare-metal', t('creation.navigation.newBareMetal'), { name: 'new-bare-metal' }),
    ]
  }
}

function useSettingsCommands(): () => readonly Command[] {
  const app = useApp()
  const accounts = useAccounts()
  const router = useRouter()
  const attempt = useAttempt()

  return () => [
    ...settingsSections.map(({ id, title }) =>
      link(
        router,
        {
          id: `settings/${id}`,
          group: 'settings',
          title: t(title),
          hint: t('common.navigation.settings'),
          keywords: t(`common.palette.also.${id}`),
        },
        { name: 'settings', query: { section: id } },
      ),
    ),
    ...settingsSections.flatMap(({ id: section, title, settings }) =>
      settings.map((setting) =>
        link(
          router,
          {
            id: `setting/${setting.id}`,
            group: 'settings',
            title: t(setting.title),
            hint: t(title),
            keywords: synonymsOf(setting),
          },
          { name: 'settings', query: { section, setting: setting.id } },
        ),
      ),
    ),
    ...accounts.all
      .filter(({ id }) => id !== accounts.selected?.id)
      .map(({ id, label }): Command => ({
        id: `account/${id}`,
        group: 'accounts',
        title: t('common.palette.switchTo', { account: label }),
        run: attempt(label, () => accounts.select(id)),
      })),
    link(
      router,
      { id: 'account/add', group: 'accounts', title: t('common.palette.addAccount') },
      { name: 'connect' },
    ),
    ...themes
      .filter((theme) => theme !== app.settings.theme)
      .map((theme): Command => ({
        id: `theme/${theme}`,
        group: 'appearance',
        title: t(`common.palette.theme.${theme}`),
        run: attempt(t('settings.appearance.theme'), () => app.change({ theme })),
      })),
    ...languages
      .filter((language) => language !== app.settings.locale)
      .map((language): Command => ({
        id: `language/${language}`,
        group: 'appearance',
        title: t('common.palette.language', { language: languageNames[language] }),
        keywords: t('settings.also.language'),
        run: attempt(t('settings.appearance.language'), () => app.change({ locale: language })),
      })),
  ]
}

export function usePaletteCommands(query: Readonly<Ref<string>>, showShortcuts: () => void) {
  const fleet = useFleet()
  const attempt = useAttempt()
  const machineCommands = useMachineCommands()
  const machineActions = useMachineActions(query)
  const resourceCommands = useResourceCommands(query)
  const jobCommands = useJobCommands()
  const pageCommands = usePageCommands(showShortcuts)
  const settingsCommands = useSettingsCommands()

  return computed<readonly Command[]>(() => {
    const refresh = t('common.palette.refresh')
    const actions = machineActions.value
    // The last machine may be among the machines that the query names.
    const isInActions = ({ title }: Command): boolean => actions.some((action) => action.title === title)
    return [
      ...machineCommands(),
      ...resourceCommands.value,
      ...jobCommands(),
      ...actions,
      ...pageCommands().filter((command) => command.id !== 'create/like' || !isInActions(command)),
      { id: 'refresh', group: 'pages', title: refresh, run: attempt(refresh, fleet.refresh) },
      {
        id: 'quit',
        group: 'pages',
        title: t('common.palette.quit'),
        keywords: t('common.palette.also.quit'),
        run: attempt(t('common.palette.quit'), () => bridge.call('app.quit', {})),
      },
      ...settingsCommands(),
    ]
  })
}
