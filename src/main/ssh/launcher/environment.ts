// npm_*: from `npm start`, including credentials of a registry. CHROME_DESKTOP: Chromium's own.
const ofTheApplication =
  /^(?:ELECTRON_|WHEELHOUSE_|NODE_|npm_|INIT_CWD$|CHROME_DESKTOP$|ORIGINAL_XDG_CURRENT_DESKTOP$|APPDIR$|APPIMAGE$|ARGV0$|OWD$)/i

/** Removes the folder of an AppImage from a search list: a terminal must not load its libraries. */
const withoutFolder = (list: string, folder: string): string =>
  list
    .split(':')
    .filter((entry) => entry !== folder && !entry.startsWith(`${folder}/`))
    .join(':')

/** Returns the desktop's environment without variables of Electron, Node, npm and this application. */
export const terminalEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const cleaned: NodeJS.ProcessEnv = {}
  const appFolder = env['APPDIR']
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || ofTheApplication.test(name)) continue
    const plain = appFolder ? withoutFolder(value, appFolder) : value
    if (plain !== '' || value === '') cleaned[name] = plain
  }
  // Electron overrides the desktop for Chromium and stores the original name here.
  const desktop = env['ORIGINAL_XDG_CURRENT_DESKTOP']
  if (desktop !== undefined) cleaned['XDG_CURRENT_DESKTOP'] = desktop
  return cleaned
}
