import type { Translation } from '../translation'
import type { askpass as english, secrets as englishSecrets } from '../en/askpass'

export const askpass: Translation<typeof english> = {
  notice: {
    title: 'Die Anmeldung bei {machine} braucht Ihre Antwort',
    body: 'Öffnen Sie Wheelhouse, um zu antworten.',
  },
  title: 'Anmeldung bei {machine}',
  password: 'Passwort von {subject}',
  passphrase: 'Passphrase von {subject}',
  firstContact:
    'Sie verbinden sich zum ersten Mal mit dieser Maschine. Bevor das Passwort gesendet wird, vergleichen Sie ihren Hostschlüssel mit dem, den ihr Betreiber anzeigt:',
  hostKey:
    'Sie verbinden sich zum ersten Mal mit dieser Maschine. Bevor Sie ein Passwort oder einen Code eingeben, vergleichen Sie ihren Hostschlüssel mit dem, den ihr Betreiber anzeigt:',
  newHost: {
    title: 'Erste Verbindung mit {machine}',
    text: 'Vergleichen Sie den Hostschlüssel mit dem, den der Betreiber anzeigt. Wheelhouse verbindet sich erst, wenn Sie ihm vertrauen.',
    address: 'Adresse',
    type: 'Schlüsseltyp',
    fingerprint: 'Fingerabdruck',
  },
  touch: {
    title: 'Berühren Sie Ihren Sicherheitsschlüssel, um sich mit {machine} zu verbinden',
    body: 'Danach meldet sich Wheelhouse an.',
  },
  fromOther:
    'Der Jump-Host {from} braucht auf dem Weg zu {machine} eine Antwort. Dieser Text stammt möglicherweise von ihm:',
  other: 'SSH braucht eine Antwort. Dieser Text stammt möglicherweise von der Maschine:',
  again: 'Das wurde nicht akzeptiert. Versuchen Sie es erneut.',
  answer: { password: 'Passwort', passphrase: 'Passphrase', other: 'Antwort' },
  show: 'Eingabe anzeigen',
  hide: 'Eingabe verbergen',
  action: 'Weiter',
  send: 'Passwort senden',
  trust: 'Diesem Schlüssel vertrauen',
  invalid: 'Geben Sie eine Zeile mit höchstens 1000 Zeichen ein.',
  keep: {
    label: 'Merken',
    no: 'Nein',
    session: 'Bis zum Beenden',
    keychain: 'Im Schlüsselbund',
  },
  state: {
    label: 'Passphrasen und Passwörter',
    window: 'Abfrage in Wheelhouse ({version})',
    own: 'Abfrage durch das Programm in SSH_ASKPASS',
    terminal: 'Abfrage im Terminal ({version}). Die Abfrage in Wheelhouse braucht OpenSSH 8.5 oder neuer.',
    windows: 'Abfrage im Terminal',
  },
  kept: '{count} Passphrase gemerkt | {count} Passphrasen gemerkt',
  forget: 'Verwerfen',
  forgotten: 'Passphrasen verworfen',
}

export const secrets: Translation<typeof englishSecrets> = {
  title: 'Passwort von {machine} in einem Terminal anzeigen?',
  notice: 'Ein Befehl von Wheelhouse fragt danach. Antworten Sie innerhalb von zwei Minuten in Wheelhouse.',
  text: 'Der Befehl wheelhouse show --show-secret wurde auf diesem Computer gestartet. Er gibt das Passwort aus; jedes Programm, das seine Ausgabe liest, sieht es.',
  machine: 'Maschine',
  account: 'Konto',
  allow: 'Passwort anzeigen',
  deny: 'Ablehnen',
}
