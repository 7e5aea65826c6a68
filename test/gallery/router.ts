import { createMemoryHistory, createRouter, type Router } from 'vue-router'
import { routes } from '../../src/renderer/app/routes'

/** The application's routes by name, without pages. */
export const createPlaces = (): Router =>
  createRouter({
    history: createMemoryHistory(),
    routes: [
      ...routes.map(({ name, path }) => ({
        path,
        name,
        component: { render: () => null },
        meta: { title: 'common.product' as const },
      })),
      { path: '/', redirect: '/machines' },
    ],
  })
