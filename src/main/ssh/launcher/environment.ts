// npm_*: what `npm start` hands down, registry credentials included. CHROME_DESKTOP: Chromium's own.
const ofTheApplication =
  /^(?:ELECTRON_|WHEELHOUSE_|NODE_|npm_|INIT_CWD$|CHROME_DESKTOP$|ORIGINAL_XDG_CURRENT_DESKTOP$|APPDIR$|APPIMAGE$|ARGV0$|OWD$)/i

/** An AppImage puts its own folder into the search lists of its programs; a terminal must not load libraries from it. */
const withoutFolder = (list: string, folder: string): string =>
  list
    .split(':')
    .filter((entry) => entry !== folder && !entry.startsWith(`${folder}/`))
    .join(':')

/** The environment of the desktop, without what belongs to Electron, Node, npm and this application. */
export const terminalEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const cleaned: NodeJS.ProcessEnv = {}
  const appFolder = env['APPDIR']
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || ofTheApplication.test(name)) continue
    const kept = appFolder ? withoutFolder(value, appFolder) : value
    if (kept !== '' || value === '') cleaned[name] = kept
  }
  // Electron shows Chromium another desktop than the person's and keeps the true name here.
  const desktop = env['ORIGINAL_XDG_CURRENT_DESKTOP']
  if (desktop !== undefined) cleaned['XDG_CURRENT_DESKTOP'] = desktop
  return cleaned
}
