import { createRouter, createWebHashHistory } from 'vue-router'
import { useToast } from '../components/toast'
import MachinesPage from '../pages/machines/MachinesPage.vue'
import { laterMessages, t } from '../platform/i18n'
import { routes } from './routes'

/** Only the page that opens first is part of the first script. */
const withFirstPage = routes.map((route) =>
  route.name === 'machines' ? { ...route, component: MachinesPage } : route,
)

export const router = createRouter({
  history: createWebHashHistory(),
  routes: [...withFirstPage, { path: '/:rest(.*)*', redirect: { name: 'overview' } }],
})

/** Pages whose messages are part of the first script. */
const pagesOfFirstScript = ['machines', 'connect']
router.beforeResolve(async ({ name }) => {
  if (!pagesOfFirstScript.includes(String(name))) await laterMessages()
})
// The page could not be loaded; the next click tries again.
router.onError((error) => useToast().failed(error, t('common.product')))
