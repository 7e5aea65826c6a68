import type { Language } from '../locale'
import type { MessageTree } from './format'

interface Parts {
  /** Texts of the window's first paint. */
  first(): Promise<MessageTree>
  later(): Promise<MessageTree>
}

/** Messages of the languages other than English, each loaded when it is used. */
export const translations: Readonly<Record<Exclude<Language, 'en'>, Parts>> = {
  de: {
    first: () => import('./de/first').then(({ first }) => first),
    later: () => import('./de/later').then(({ later }) => later),
  },
  es: {
    first: () => import('./es/first').then(({ first }) => first),
    later: () => import('./es/later').then(({ later }) => later),
  },
  fr: {
    first: () => import('./fr/first').then(({ first }) => first),
    later: () => import('./fr/later').then(({ later }) => later),
  },
  ja: {
    first: () => import('./ja/first').then(({ first }) => first),
    later: () => import('./ja/later').then(({ later }) => later),
  },
  'zh-CN': {
    first: () => import('./zh-CN/first').then(({ first }) => first),
    later: () => import('./zh-CN/later').then(({ later }) => later),
  },
}
