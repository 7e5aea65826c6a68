import type { Translation } from '../translation'
import type { tunnels as english } from '../en/tunnels'

export const tunnels: Translation<typeof english> = {
  tab: 'Dienste',
  looking: 'Dienste werden gesucht …',
  listening: 'Dienste auf der Maschine',
  more: 'Nur die ersten {count} werden angezeigt.',
  other: 'Anderes Programm',
  port: 'Port {port}',
  empty: {
    title: 'Keine Dienste gefunden',
    text: 'Auf dieser Maschine lauscht nur SSH. Programme erscheinen, sobald sie starten.',
  },
  notUnderstood: {
    title: 'Dienste nicht auflistbar',
    text: 'Die Maschine hat kein ss, und /proc/net/tcp ist nicht lesbar.',
    next: 'Einen Port können Sie trotzdem über seine Nummer weiterleiten.',
  },
  noAnswer: {
    title: 'Die Maschine hat nicht geantwortet',
    text: 'Keine Liste der Dienste innerhalb von {seconds} s.',
    next: 'Wheelhouse versucht es weiter, solange dieser Tab offen ist.',
  },
  notRunning: { title: 'Maschine läuft nicht', text: 'Dienste erscheinen, sobald sie läuft.' },
  hostKey: {
    title: 'Hostschlüssel nicht bestätigt',
    text: 'Der Hostschlüssel der Maschine ist nicht bestätigt, deshalb hat sich Wheelhouse nicht verbunden.',
    next: 'Versuchen Sie es erneut und bestätigen Sie den Schlüssel, oder verbinden Sie sich zuerst in einem Terminal.',
  },
  waiting: 'Verbindung abgebrochen. Nächster Versuch in {duration}.',
  forward: 'Weiterleiten',
  forwardPort: 'Port weiterleiten',
  portLabel: 'Port auf der Maschine',
  forwardText:
    'Öffnet Port {port} der Maschine hier unter 127.0.0.1:{port}. Ist dieser Port belegt, wird der nächste freie verwendet.',
  open: 'Öffnen',
  openNamed: '{service} im Browser öffnen',
  stop: 'Stoppen',
  stopNamed: 'Weiterleitung stoppen: {service}',
  opened: '{service} wird im Browser geöffnet',
  forwarded: '{service} ist unter {address} erreichbar',
  forwards: {
    title: 'Weitergeleitete Ports',
    text: 'Nur dieser Computer kann sie nutzen. Sie enden beim Beenden oder Abmelden. Gestoppte Weiterleitungen bleiben gestoppt.',
  },
  save: 'Bei jedem Start wieder öffnen',
  connect: 'Verbinden',
  moved: 'Port {port} ist auf diesem Computer nicht frei.',
  state: {
    connecting: 'Verbindet …',
    unanswered: 'Auf Port {port} der Maschine antwortet nichts.',
    prohibited:
      'Der SSH-Server erlaubt keine Weiterleitung zu diesem Port (AllowTcpForwarding und PermitOpen).',
    'not-running': 'Warten, bis die Maschine läuft.',
    unasked: 'Die Anmeldung gelang nicht ohne Rückfrage. Wählen Sie „Verbinden“, um fortzufahren.',
    'host-key-unknown': 'Hostschlüssel nicht bestätigt. Verbinden Sie sich zuerst in einem Terminal.',
  },
  tooMany: '{count} Ports sind weitergeleitet. Stoppen Sie zuerst einen.',
  noBrowser: 'Es ließ sich kein Browser öffnen.',
  address: 'Adresse',
}
