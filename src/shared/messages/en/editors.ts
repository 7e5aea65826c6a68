/** Editors that work on a machine over SSH. */
export const editors = {
  attempt: 'Opening an editor',
  openIn: 'Open in {editor}',
  title: 'Open {machine} in {editor}',
  action: 'Open',
  folder: 'Folder on the machine',
  folderFormat: 'Enter a path that begins with / and contains no “.” or “..” folder.',
  folderHint: 'Leave empty for your home folder there.',
  trust:
    'The editor installs its own server on the machine and connects as {alias}. It treats the machine as trusted: code there can use what you give the editor, such as forwarded ports and Git sign-ins.',
  needsAlias:
    'Editors reach a machine by its SSH alias, and this one has none. Turn aliases on in Settings, then try again.',
  opened: 'Opening {machine} in {editor}',
} as const
