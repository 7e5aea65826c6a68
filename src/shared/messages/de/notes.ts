import type { Translation } from '../translation'
import type { notes as english } from '../en/notes'

export const notes: Translation<typeof english> = {
  tab: 'Notizen',
  local: 'Nur auf diesem Computer gespeichert. Filter durchsuchen auch Tags und Notizen.',
  tags: {
    title: 'Tags',
    placeholder: 'Tag hinzufügen',
    remove: 'Tag {tag} entfernen',
    tooLong: 'Verwenden Sie höchstens 30 Zeichen.',
    tooMany: 'Höchstens 20 Tags.',
  },
  text: {
    title: 'Notizen',
    placeholder: {
      machine: 'Wofür ist sie? Wer nutzt sie, bis wann?',
      volume: 'Was liegt darauf? Wer braucht es, bis wann?',
      token: 'Welches Programm nutzt es, und wo?',
    },
    tooLong: '{count} von 2000 Zeichen',
  },
}
