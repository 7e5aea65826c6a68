import { createMemoryHistory, createRouter, type Router } from 'vue-router'

const places = {
  overview: '/overview',
  machines: '/machines/:machine?',
  'new-machine': '/machines/new',
  metrics: '/metrics',
  'new-bare-metal': '/bare-metal/new',
  'bare-metal': '/bare-metal/:instance?',
  catalog: '/catalog',
  volumes: '/volumes/:volume?',
  terminals: '/terminals',
  billing: '/billing/:view?',
  'api-tokens': '/api-tokens/:token?',
  settings: '/settings',
  connect: '/connect',
  guide: '/guide/:page?',
} as const

/** The application's routes by name, without pages. */
export const createPlaces = (): Router =>
  createRouter({
    history: createMemoryHistory(),
    routes: [
      ...Object.entries(places).map(([name, path]) => ({
        path,
        name,
        component: { render: () => null },
        meta: { title: 'common.product' as const },
      })),
      { path: '/', redirect: '/machines' },
    ],
  })
