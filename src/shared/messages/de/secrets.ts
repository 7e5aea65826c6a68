import type { Translation } from '../translation'
import type { secrets as english } from '../en/secrets'

export const secrets: Translation<typeof english> = {
  title: 'Passwort von {machine} in einem Terminal anzeigen?',
  notice: 'Ein Befehl von Wheelhouse fragt danach. Antworten Sie innerhalb von zwei Minuten in Wheelhouse.',
  text: 'Der Befehl wheelhouse show --show-secret wurde auf diesem Computer gestartet. Er gibt das Passwort aus; jedes Programm, das seine Ausgabe liest, sieht es.',
  machine: 'Maschine',
  account: 'Konto',
  allow: 'Passwort anzeigen',
  deny: 'Ablehnen',
}
