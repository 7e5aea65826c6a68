import { collect } from './processes.mjs'

/** Shared libraries that Electron needs and a bare Debian lacks, by the package that brings them. */
const debianPackages = {
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libsmime3.so': 'libnss3',
  'libnspr4.so': 'libnspr4',
  'libgtk-3.so.0': 'libgtk-3-0',
  'libgdk-3.so.0': 'libgtk-3-0',
  'libatk-1.0.so.0': 'libgtk-3-0',
  'libatk-bridge-2.0.so.0': 'libgtk-3-0',
  'libatspi.so.0': 'libgtk-3-0',
  'libcairo.so.2': 'libgtk-3-0',
  'libpango-1.0.so.0': 'libgtk-3-0',
  'libxkbcommon.so.0': 'libgtk-3-0',
  'libcups.so.2': 'libcups2',
  'libdbus-1.so.3': 'libdbus-1-3',
  'libasound.so.2': 'libasound2',
  'libgbm.so.1': 'libgbm1',
  'libdrm.so.2': 'libdrm2',
  'libexpat.so.1': 'libexpat1',
  'libX11.so.6': 'libx11-6',
  'libxcb.so.1': 'libxcb1',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXdamage.so.1': 'libxdamage1',
  'libXext.so.6': 'libxext6',
  'libXfixes.so.3': 'libxfixes3',
  'libXrandr.so.2': 'libxrandr2',
  'libsecret-1.so.0': 'libsecret-1-0',
}

/**
 * What `ldd` could not find, in words. Pure.
 *
 * @param {string} ldd its output
 * @returns {string | undefined} undefined where nothing is missing
 */
export const missingLibraries = (ldd) => {
  const libraries = [...ldd.matchAll(/^\s*(\S+) => not found/gm)].flatMap(([, library]) => library ?? [])
  if (libraries.length === 0) return undefined
  const packages = new Map(Object.entries(debianPackages))
  const known = new Set(libraries.flatMap((library) => packages.get(library) ?? []))
  const install = known.size > 0 ? `, apt-get install ${[...known].join(' ')}` : ''
  return `${libraries.join(', ')} ${libraries.length > 1 ? 'are' : 'is'} missing${install}`
}

/**
 * @param {string} program
 * @returns {Promise<string | undefined>} which shared libraries it lacks here, and the packages that bring them
 */
export const librariesMissingFor = async (program) =>
  process.platform === 'linux' ? missingLibraries((await collect('ldd', [program])).out) : undefined
