import {
  Container,
  Cpu,
  HardDrive,
  House,
  KeyRound,
  LayoutGrid,
  ReceiptText,
  Server,
  Settings,
  SquareTerminal,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { LocationQuery, RouteMeta, RouteRecordSingleView } from 'vue-router'
import type { MessagePath } from '../platform/i18n'

declare module 'vue-router' {
  interface RouteMeta {
    readonly title: MessagePath
    /** Icon in the rail; absent for pages outside the rail. */
    readonly icon?: Component
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
const chosenIn = (query: LocationQuery) => ({
  like: textIn(query, 'like'),
  at: textIn(query, 'at'),
  region: textIn(query, 'region'),
  flavor: textIn(query, 'flavor'),
  image: textIn(query, 'image'),
  template: textIn(query, 'template'),
})

type PageRoute = RouteRecordSingleView & { readonly name: string; readonly meta: RouteMeta }

/** All pages, in the order of the rail. Their components are loaded when they open. */
export const routes: readonly PageRoute[] = [
  {
    path: '/overview',
    name: 'overview',
    component: () => import('../pages/overview/OverviewPage.vue'),
    meta: { title: 'common.navigation.overview', icon: House },
  },
  {
    path: '/machines/:machine?/:view(page)?',
    name: 'machines',
    // Replaced in router.ts, where this page is part of the first script.
    component: { render: () => null },
    meta: { title: 'common.navigation.machines', icon: Server },
  },
  {
    path: '/machines/new',
    name: 'new-machine',
    component: () => import('../pages/create/CreatePage.vue'),
    props: ({ query }) => ({ kind: 'machine', ...chosenIn(query) }),
    meta: { title: 'creation.navigation.newMachine', page: 'machines' },
  },
  {
    path: '/templates',
    name: 'templates',
    component: () => import('../pages/templates/TemplatesPage.vue'),
    meta: { title: 'templates.title', page: 'machines' },
  },
  {
    path: '/gpus',
    name: 'gpus',
    component: () => import('../pages/gpus/GpusPage.vue'),
    meta: { title: 'common.navigation.gpus', icon: Cpu },
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
    path: '/bare-metal/:instance?/:view(page)?',
    name: 'bare-metal',
    component: () => import('../pages/bare-metal/BareMetalPage.vue'),
    meta: { title: 'common.navigation.bareMetal', icon: Container },
  },
  {
    path: '/volumes/:volume?/:view(page)?',
    name: 'volumes',
    component: () => import('../pages/volumes/VolumesPage.vue'),
    meta: { title: 'common.navigation.volumes', icon: HardDrive },
  },
  {
    path: '/terminals',
    name: 'terminals',
    component: () => import('../pages/terminals/TerminalsPage.vue'),
    meta: { title: 'common.navigation.terminals', icon: SquareTerminal },
  },
  {
    path: '/catalog',
    name: 'catalog',
    component: () => import('../pages/catalog/CatalogPage.vue'),
    meta: { title: 'common.navigation.catalog', icon: LayoutGrid },
  },
  {
    path: '/billing/:view?',
    name: 'billing',
    component: () => import('../pages/billing/BillingPage.vue'),
    meta: { title: 'common.navigation.billing', icon: ReceiptText },
  },
  {
    path: '/api-tokens/:token?/:view(page)?',
    name: 'api-tokens',
    component: () => import('../pages/api-tokens/ApiTokensPage.vue'),
    meta: { title: 'common.navigation.apiTokens', icon: KeyRound },
  },
  {
    path: '/settings',
    name: 'settings',
    component: () => import('../pages/settings/SettingsPage.vue'),
    meta: { title: 'common.navigation.settings', icon: Settings },
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
]
