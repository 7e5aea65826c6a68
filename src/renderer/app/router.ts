import { createRouter, createWebHashHistory, type LocationQuery } from 'vue-router'
import { useToast } from '../components/toast'
import MachinesPage from '../pages/machines/MachinesPage.vue'
import { laterMessages, type MessagePath, t } from '../platform/i18n'

declare module 'vue-router' {
  interface RouteMeta {
    readonly title: MessagePath
    /** Shown without the rail and the top bar. */
    readonly bare?: boolean
    /** Available without an account. */
    readonly open?: boolean
    /** Page of the rail that a page outside the rail belongs to. */
    readonly page?: string
  }
}

const textIn = (query: LocationQuery, key: string): string | undefined => {
  const value = query[key]
  return typeof value === 'string' ? value : undefined
}
/** Returns the initial choices of a creation form. */
const chosenIn = (query: LocationQuery) => ({
  like: textIn(query, 'like'),
  region: textIn(query, 'region'),
  flavor: textIn(query, 'flavor'),
  image: textIn(query, 'image'),
})

/** Pages by name. Only the page that opens first is part of the first script. */
export const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    {
      path: '/overview',
      name: 'overview',
      component: () => import('../pages/overview/OverviewPage.vue'),
      meta: { title: 'common.navigation.overview' },
    },
    {
      path: '/machines/:machine?',
      name: 'machines',
      component: MachinesPage,
      meta: { title: 'common.navigation.machines' },
    },
    {
      path: '/machines/new',
      name: 'new-machine',
      component: () => import('../pages/create/CreatePage.vue'),
      props: ({ query }) => ({ kind: 'machine', ...chosenIn(query) }),
      meta: { title: 'creation.navigation.newMachine', page: 'machines' },
    },
    {
      path: '/metrics',
      name: 'metrics',
      component: () => import('../pages/metrics/MetricsPage.vue'),
      meta: { title: 'metrics.title', page: 'machines' },
    },
    {
      path: '/bare-metal/new',
      name: 'new-bare-metal',
      component: () => import('../pages/create/CreatePage.vue'),
      props: ({ query }) => ({ kind: 'bare-metal', ...chosenIn(query) }),
      meta: { title: 'creation.navigation.newBareMetal', page: 'bare-metal' },
    },
    {
      path: '/bare-metal/:instance?',
      name: 'bare-metal',
      component: () => import('../pages/bare-metal/BareMetalPage.vue'),
      meta: { title: 'common.navigation.bareMetal' },
    },
    {
      path: '/catalog',
      name: 'catalog',
      component: () => import('../pages/catalog/CatalogPage.vue'),
      meta: { title: 'common.navigation.catalog' },
    },
    {
      path: '/volumes/:volume?',
      name: 'volumes',
      component: () => import('../pages/volumes/VolumesPage.vue'),
      meta: { title: 'common.navigation.volumes' },
    },
    {
      path: '/terminals',
      name: 'terminals',
      component: () => import('../pages/terminals/TerminalsPage.vue'),
      meta: { title: 'common.navigation.terminals' },
    },
    {
      path: '/billing/:view?',
      name: 'billing',
      component: () => import('../pages/billing/BillingPage.vue'),
      meta: { title: 'common.navigation.billing' },
    },
    {
      path: '/api-tokens/:token?',
      name: 'api-tokens',
      component: () => import('../pages/api-tokens/ApiTokensPage.vue'),
      meta: { title: 'common.navigation.apiTokens' },
    },
    {
      path: '/settings',
      name: 'settings',
      component: () => import('../pages/settings/SettingsPage.vue'),
      meta: { title: 'common.navigation.settings' },
    },
    {
      path: '/guide/:page?',
      name: 'guide',
      component: () => import('../pages/guide/GuidePage.vue'),
      meta: { title: 'common.guide.title', open: true },
    },
    {
      path: '/connect',
      name: 'connect',
      component: () => import('../pages/connect/ConnectPage.vue'),
      meta: { title: 'accounts.form.title', bare: true },
    },
    { path: '/:rest(.*)*', redirect: { name: 'overview' } },
  ],
})

/** Pages whose messages are part of the first script. */
const pagesOfFirstScript = ['machines', 'connect']
router.beforeResolve(async ({ name }) => {
  if (!pagesOfFirstScript.includes(String(name))) await laterMessages()
})
// The page could not be loaded; the next click tries again.
router.onError((error) => useToast().failed(error, t('common.product')))
