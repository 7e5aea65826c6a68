import { collect } from './processes.mjs'

/** Shared libraries that Electron needs and a bare Debian lacks, by package. */
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
  'libX11-xcb.so.1': 'libx11-xcb1',
  'libxcb.so.1': 'libxcb1',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXdamage.so.1': 'libxdamage1',
  'libXext.so.6': 'libxext6',
  'libXfixes.so.3': 'libxfixes3',
  'libXrandr.so.2': 'libxrandr2',
  'libsecret-1.so.0': 'libsecret-1-0',
}

/** Chromium opens it once it has a display, and dies of SIGTRAP without it: `ldd` does not list it. */
const openedLate = ['libX11-xcb.so.1']

/** Debian 13 and Ubuntu 24.04 use another name, and Ubuntu's apt does not find the old name. */
const renamed = { from: 'libasound2', to: 'libasound2t64' }

/** @param {string} library as the system's loader looks for it */
export const isMissing = (library) => {
  try {
    process.dlopen({ exports: {} }, library)
  } catch (error) {
    // A library that was found is rejected later, as it is no module of Node.
    return error instanceof Error && error.message.includes('cannot open shared object file')
  }
  return false
}

/**
 * @param {string} ldd its output
 * @returns {readonly string[]} the libraries that it could not find
 */
export const notFound = (ldd) =>
  [...ldd.matchAll(/^\s*(\S+) => not found/gm)].flatMap(([, library]) => library ?? [])

/**
 * Returns the missing packages, with one command to copy. Pure.
 *
 * @param {readonly string[]} libraries
 * @param {boolean} hasRenamed whether the system has the package names of Debian 13 or Ubuntu 24.04
 * @returns {string | undefined} undefined if nothing is missing
 */
export const missingLibraries = (libraries, hasRenamed = false) => {
  if (libraries.length === 0) return undefined
  const packages = new Map(Object.entries(debianPackages))
  const known = new Set(libraries.flatMap((library) => packages.get(library) ?? []))
  const names = [...known].map((name) => (hasRenamed && name === renamed.from ? renamed.to : name))
  const install = names.length > 0 ? `. Install what brings them:\n  apt-get install ${names.join(' ')}` : ''
  return `${libraries.join(', ')} ${libraries.length > 1 ? 'are' : 'is'} missing${install}`
}

/**
 * @param {string} program
 * @returns {Promise<string | undefined>} its missing shared libraries, and their packages
 */
export const librariesMissingFor = async (program) => {
  if (process.platform !== 'linux') return undefined
  const libraries = [...notFound((await collect('ldd', [program])).out), ...openedLate.filter(isMissing)]
  if (libraries.length === 0) return undefined
  const hasRenamed = (await collect('apt-cache', ['show', renamed.to])).code === 0
  return missingLibraries(libraries, hasRenamed)
}
