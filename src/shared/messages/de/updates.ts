import type { Translation } from '../translation'
import type { updates as english } from '../en/updates'

export const updates: Translation<typeof english> = {
  label: 'Updates',
  off: {
    checkout: 'Aus: Wheelhouse läuft aus dem Quellcode',
    'test-build': 'In Test-Builds aus',
    package:
      'Aktualisieren Sie Wheelhouse so, wie Sie es installiert haben: mit der Paketverwaltung oder einem neuen Download',
    'no-feed': 'Aus: Dieser Build hat keinen Update-Server',
  },
  unchecked: 'Noch nicht gesucht',
  current: 'Aktuell, geprüft {age}',
  checking: 'Suche nach Updates …',
  available: 'Version {version} ist verfügbar',
  downloading: '{percent} % von Version {version} heruntergeladen',
  ready: 'Version {version} kann installiert werden',
  held: {
    creation: 'Eine Maschine wird gerade erstellt. Starten Sie danach neu.',
    transfers: 'Dateien werden gerade kopiert. Starten Sie danach neu oder brechen Sie die Übertragungen ab.',
  },
  notes: 'Neuerungen',
  check: 'Nach Updates suchen',
  download: 'Herunterladen',
  skip: 'Diese Version überspringen',
  restart: 'Für Update neu starten …',
  automatic: 'Automatisch suchen',
  automaticText: 'Einmal am Tag nach Updates suchen',
  failed: {
    unreachable: {
      title: 'Update nicht heruntergeladen',
      next: 'Prüfen Sie Ihr Netzwerk und den Proxy unter Einstellungen > Netzwerk, dann versuchen Sie es erneut.',
    },
    'no-release': {
      title: 'Auf dem Update-Server ist kein Release',
      next: 'Versuchen Sie es später erneut.',
    },
    damaged: {
      title: 'Das Update war beschädigt',
      next: 'Es passt nicht zu seiner Prüfsumme oder Signatur, deshalb wurde nichts installiert. Versuchen Sie es später erneut.',
    },
    'not-installed': {
      title: 'Update nicht installiert',
      next: 'Diese Version funktioniert weiter. Prüfen Sie, ob der Ordner von Wheelhouse beschreibbar ist und der Datenträger Platz hat.',
    },
    unknown: {
      title: 'Das Update ist fehlgeschlagen',
      next: 'Diese Version funktioniert weiter. Versuchen Sie es später erneut.',
    },
    reason: 'Grund: {reason}',
  },
  dialog: {
    title: 'Für das Update auf Version {version} neu starten?',
    text: 'Wheelhouse schließt sich und öffnet sich mit der neuen Version. SSH-Sitzungen in Ihrem Terminal bleiben offen.',
    unsaved:
      'Auf dieser Seite gibt es nicht gespeicherte Änderungen. Speichern Sie sie oder setzen Sie sie zurück, dann starten Sie neu.',
    action: 'Neu starten',
  },
  notice: {
    available: 'Update verfügbar',
    ready: 'Für Update neu starten',
  },
}
