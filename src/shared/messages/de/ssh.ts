import type { Translation } from '../translation'
import type { ssh as english } from '../en/ssh'

export const ssh: Translation<typeof english> = {
  connect: 'Verbinden',
  connectIn: 'in {terminal}',
  opened: '{machine} wird in {terminal} geöffnet',
  missing:
    '{missing} ist nicht installiert, deshalb wurde {terminal} geöffnet. Installieren Sie das Programm oder wählen Sie in den Einstellungen ein anderes Terminal.',
  failed:
    '{failed} ließ sich nicht öffnen. Die Sitzung wurde hier geöffnet. Wählen Sie in den Einstellungen ein anderes Terminal.',
  placeRefused:
    'Dieses Terminal kann „{place}“ nicht öffnen. Wählen Sie in den Einstellungen ein anderes Terminal.',
  noClient: 'OpenSSH (ssh) ist auf diesem Computer nicht installiert.',
  unreachable: '{machine}: {reason}',
  disabledReason: {
    stopped: 'Gestoppt. Zum Verbinden starten.',
    moving: 'Noch nicht bereit. Sobald die Maschine läuft, können Sie sich verbinden.',
    'no-address': 'Warten auf eine Adresse …',
    gone: 'Diese Maschine existiert nicht mehr.',
  },
  notBegun: {
    restricted: {
      title: 'Eingeschränkte Login-Shell',
      text: 'Die Shell des Benutzers auf der Maschine führt nur bestimmte Programme aus: {said}',
      next: 'Legen Sie im Tab „Verbindung“ einen anderen Benutzer fest oder geben Sie diesem Benutzer eine vollwertige Shell.',
    },
    'no-shell': {
      title: 'Auf dieser Maschine nicht unterstützt',
      text: 'Sie hat keine POSIX-Shell (vielleicht läuft dort Windows): {said}',
      next: 'Ein Terminal öffnen und Dateien kopieren können Sie trotzdem.',
    },
    refused: {
      title: 'Die Maschine führt für diesen Benutzer keine Befehle aus',
      text: 'Ausgabe: {said}',
      next: 'Prüfen Sie die Login-Shell des Benutzers und erzwungene Befehle in authorized_keys und sshd_config.',
    },
    silent: {
      title: 'Die Maschine führt für diesen Benutzer keine Befehle aus',
      text: 'Sie gab nichts aus. Vielleicht startet eine Startdatei eine andere Shell, etwa exec fish in ~/.bashrc.',
      next: 'Ändern Sie Startdateien so, dass sie das nur in Terminals tun. Sonst prüfen Sie die Login-Shell des Benutzers und erzwungene Befehle in authorized_keys und sshd_config.',
    },
    short: '{title}: {said}',
    shortSilent: '{title}. {text}',
  },
  slowLogin: {
    title: 'Die Anmeldung an der Maschine ist langsam',
    text: 'Die Startdateien der Login-Shell wurden nicht innerhalb von {seconds} s fertig.',
    next: 'Suchen Sie in ~/.bashrc oder ~/.profile nach langsamen Befehlen. Wheelhouse versucht es später erneut.',
  },
  refusedForAWhile: {
    title: 'Der Server sperrt diesen Computer vorübergehend',
    text: 'Das tun SSH-Server nach fehlgeschlagenen oder zu vielen Anmeldungen. Neuer Versuch in {duration}.',
  },
  banner: {
    title: 'Die Maschine hat die Anmeldung noch nicht angenommen',
    text: 'Sie hat eine Nachricht gesendet. Vielleicht müssen Sie zuerst etwas tun.',
    label: 'Nachricht der Maschine',
  },
  loginOutput: 'Ausgabe der Anmeldung',
  anyway: 'Terminal trotzdem öffnen',
  command: {
    copy: 'SSH-Befehl kopieren',
    unknown: 'Verfügbar, sobald Benutzer und Adresse bekannt sind.',
  },
  reveal: 'Anzeigen',
  revealNamed: '{what} anzeigen',
  hideNamed: '{what} verbergen',
  masked: 'verborgen',
  edit: '{what} bearbeiten',
  save: '{what} speichern',
  cancelEdit: 'Bearbeiten abbrechen: {what}',
  reset: '{what} zurücksetzen',
  set: 'hier festgelegt',
  port: { range: 'Geben Sie einen Port von 1 bis 65535 ein.' },
  identity: {
    automatic: 'Automatisch',
    choose: 'Datei wählen …',
    change: 'Schlüsseldatei wählen',
    found: 'In ~/.ssh',
  },
  forwardAgent: {
    default: 'Aus',
    defaultOn: 'Ein für dieses Konto',
    on: 'Ein',
    off: 'Aus für diese Maschine',
    warning:
      'Solange Sie verbunden sind, kann jeder mit Root-Zugriff auf der Maschine sich mit den Schlüsseln Ihres Agents anderswo anmelden.',
  },
  hostKey: {
    known: 'vertrauenswürdig',
    unknown: 'noch nicht bestätigt',
    unknownHint: 'Wird beim ersten Verbinden gespeichert.',
    title: 'Hostschlüssel',
    text: 'Ein Hostschlüssel beweist, dass es dieselbe Maschine ist wie bei früheren Verbindungen. Ändert er sich, verweigert Wheelhouse die Verbindung.',
    confirm: 'Vor der ersten Verbindung mit einer Maschine fragen',
    confirmText:
      'Wheelhouse zeigt dann den Fingerabdruck des Hostschlüssels und verbindet sich erst, wenn Sie ihm vertrauen. Sonst gilt der erste Schlüssel als vertrauenswürdig und wird gespeichert. Bei SSH-Aliassen wird im Terminal gefragt.',
  },
  changed: {
    title: 'Der Hostschlüssel von {machine} hat sich geändert',
    text: '{host} legt jetzt einen anderen Schlüssel vor als bei der ersten Verbindung. Wheelhouse hat sich nicht verbunden.',
    harmless: 'Das ist zu erwarten, wenn die Maschine neu aufgesetzt oder ihre Adresse neu vergeben wurde.',
    harmful:
      'Sonst fängt möglicherweise jemand die Verbindung ab. Fragen Sie den Betreiber der Maschine, bevor Sie fortfahren.',
    known: 'Vertrauenswürdig',
    offered: 'Jetzt vorgelegt',
    expected: 'Ich weiß, warum sich der Schlüssel geändert hat',
    action: 'Alten Schlüssel verwerfen',
    done: 'Alter Schlüssel verworfen. Die nächste Verbindung speichert den neuen.',
  },
}
