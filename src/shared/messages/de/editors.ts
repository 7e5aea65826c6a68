import type { Translation } from '../translation'
import type { editors as english } from '../en/editors'

export const editors: Translation<typeof english> = {
  attempt: 'Editor öffnen',
  openIn: 'In {editor} öffnen',
  title: '{machine} in {editor} öffnen',
  action: 'Öffnen',
  folder: 'Ordner auf der Maschine',
  folderFormat: 'Geben Sie einen Pfad ein, der mit / beginnt und keinen Ordner „.“ oder „..“ enthält.',
  folderHint: 'Bleibt das Feld leer, gilt dort Ihr Home-Verzeichnis.',
  trust:
    'Der Editor installiert seinen eigenen Server auf der Maschine und verbindet sich als {alias}. Er behandelt die Maschine als vertrauenswürdig: Code dort kann nutzen, was Sie dem Editor geben, etwa weitergeleitete Ports und Git-Anmeldungen.',
  needsAlias:
    'Editoren erreichen eine Maschine über ihren SSH-Alias, und diese hat keinen. Schalten Sie Aliasse in den Einstellungen ein, dann versuchen Sie es erneut.',
  opened: '{machine} wird in {editor} geöffnet',
}
