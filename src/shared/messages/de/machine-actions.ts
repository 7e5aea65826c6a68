import type { Translation } from '../translation'
import type { machineActions as english } from '../en/machine-actions'

export const machineActions: Translation<typeof english> = {
  menu: 'Aktionen für {machine}',
  actions: {
    start: 'Starten',
    stop: 'Stoppen',
    reboot: 'Neu starten',
    delete: 'Löschen',
  },
  menuItems: {
    start: 'Starten …',
    stop: 'Stoppen …',
    reboot: 'Neu starten …',
    delete: 'Löschen …',
    run: 'Befehl ausführen …',
    like: 'Weitere wie diese erstellen',
    template: 'Als Vorlage speichern …',
    tag: 'Tags, Notizen und Erinnerungen',
  },
  why: {
    'not-offered': 'Von diesem Dienst nicht unterstützt.',
    start: 'Läuft bereits.',
    stop: 'Bereits gestoppt.',
    'not-now': 'In diesem Zustand nicht möglich ({status}).',
    'none-reachable': 'Keine dieser Maschinen ist derzeit erreichbar.',
    'too-many': 'Ein Befehl kann auf höchstens {count} Maschinen ausgeführt werden.',
  },
  confirm: {
    start: {
      title: 'Maschine {machine} starten?',
      titleMany: '{count} Maschine starten? | {count} Maschinen starten?',
    },
    stop: {
      title: 'Maschine {machine} stoppen?',
      titleMany: '{count} Maschine stoppen? | {count} Maschinen stoppen?',
    },
    reboot: {
      title: 'Maschine {machine} neu starten?',
      titleMany: '{count} Maschine neu starten? | {count} Maschinen neu starten?',
    },
    delete: {
      title: 'Maschine {machine} löschen?',
      titleMany: '{count} Maschine löschen? | {count} Maschinen löschen?',
    },
  },
  text: {
    start: 'Sobald die Maschine läuft, können Sie sich verbinden.',
    stop: 'Sie zahlen weiterhin, während die Maschine gestoppt ist. Nur Löschen beendet die Kosten. Laufende Programme werden unterbrochen.',
    reboot: 'Laufende Programme werden unterbrochen.',
    delete:
      'Die Maschine und alles auf ihren Datenträgern werden endgültig gelöscht. Angehängte Volumes bleiben erhalten und kosten weiterhin Geld.',
  },
  textMany: {
    start: 'Sobald die Maschinen laufen, können Sie sich verbinden.',
    stop: 'Sie zahlen weiterhin, während die Maschinen gestoppt sind. Nur Löschen beendet die Kosten. Laufende Programme werden unterbrochen.',
    reboot: 'Laufende Programme werden unterbrochen.',
    delete:
      'Die Maschinen und alles auf ihren Datenträgern werden endgültig gelöscht. Angehängte Volumes bleiben erhalten und kosten weiterhin Geld.',
  },
  unknown: {
    start:
      'Möglicherweise lehnt der Dienst das Starten dieser Maschine ab. | Möglicherweise lehnt der Dienst das Starten dieser Maschinen ab.',
    stop: 'Möglicherweise lehnt der Dienst das Stoppen dieser Maschine ab. | Möglicherweise lehnt der Dienst das Stoppen dieser Maschinen ab.',
    reboot:
      'Möglicherweise lehnt der Dienst den Neustart dieser Maschine ab. | Möglicherweise lehnt der Dienst den Neustart dieser Maschinen ab.',
    delete:
      'Möglicherweise lehnt der Dienst das Löschen dieser Maschine ab. | Möglicherweise lehnt der Dienst das Löschen dieser Maschinen ab.',
  },
  typeName: 'Zum Löschen {machine} eingeben',
  skipped: { running: 'läuft bereits', stopped: 'läuft nicht', moving: 'Zustand ändert sich gerade' },
  lost: '{size} GB auf dem Datenträger gehen verloren.',
  toast: {
    start: '{machine} wird gestartet',
    stop: '{machine} wird gestoppt. Sie zahlen weiterhin.',
    reboot: '{machine} wird neu gestartet',
    delete: '{machine} gelöscht',
  },
  selection: {
    label: 'Ausgewählte Maschinen',
  },
  gone: {
    one: '{machine} existiert beim Dienst nicht mehr.',
    many: '{machines} existieren beim Dienst nicht mehr.',
  },
}
