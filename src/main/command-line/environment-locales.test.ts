import { expect, it } from 'vitest'
import { environmentLocales } from './environment-locales'

it.each([
  [{ LANG: 'de_DE.UTF-8' }, ['de-DE']],
  [{ LANG: 'en_US.UTF-8', LC_MESSAGES: 'fr_FR' }, ['fr-FR']],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'ja_JP.eucJP' }, ['ja-JP']],
  [{ LANG: 'sr_RS@latin', LANGUAGE: 'es:fr_CA' }, ['es', 'fr-CA', 'sr-RS']],
  // A script that asks for stable output gets it.
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C', LANGUAGE: 'de' }, []],
  [{ LANG: 'C.UTF-8' }, []],
  [{ LANG: 'POSIX' }, []],
  [{}, []],
])('the locales of %j are %j', (env, locales) => expect(environmentLocales(env)).toEqual(locales))
