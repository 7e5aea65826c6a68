import type { Translation } from '../translation'
import type { store as english } from '../en/store'

export const store: Translation<typeof english> = {
  title: 'Lokale Daten',
  text: 'Abrechnungen, Nutzung, Limits, Notizen, Namen und Maschinenverlauf, verschlüsselt mit einem Schlüssel aus Ihrem Schlüsselbund.',
  state: 'Zustand',
  reason: 'Systemfehler: {reason}',
  quarantined: {
    title: 'Lokale Daten nicht lesbar',
    text: 'Sie sind beschädigt oder stammen von einer anderen Version von Wheelhouse. Die Datei wurde nach {file} verschoben und eine neue begonnen. Abrechnungen und Nutzung werden erneut vom Dienst geladen. Nur hier gespeicherte Daten, etwa die frühere Last, sind verloren.',
  },
  states: {
    opening: { short: 'Noch nicht geöffnet' },
    open: { short: 'Verschlüsselt' },
    'no-keychain': {
      short: 'Bis zum Beenden im Speicher',
      title: 'Verlauf wird nicht gespeichert: Schlüsselbund nicht verfügbar',
      text: 'Wheelhouse speichert private Daten nur verschlüsselt, mit einem Schlüssel aus Ihrem Schlüsselbund. Ohne ihn bleiben Daten im Speicher und gehen beim Beenden verloren.',
    },
    locked: {
      short: 'Wartet auf den Schlüsselbund',
      title: 'Entsperren Sie Ihren Schlüsselbund, um lokale Daten zu öffnen',
      text: 'Ihre Daten sind sicher und öffnen sich automatisch, sobald der Schlüsselbund entsperrt ist. Bis dahin bleiben neue Daten im Speicher.',
    },
    'key-lost': {
      short: 'Schlüssel verloren',
      title: 'Lokale Daten lassen sich nicht öffnen: Ihr Schlüssel ist verloren',
      text: 'Der Schlüssel der Datei ist nicht mehr in Ihrem Schlüsselbund. Stellen Sie den Schlüsselbund wieder her, um sie zu öffnen, oder beginnen Sie eine neue Datei: Die alte bleibt erhalten.',
    },
    damaged: {
      short: 'Beschädigt',
      title: 'Lokale Daten nicht lesbar',
      text: 'Sie sind beschädigt oder stammen von einer anderen Version von Wheelhouse. Starten Sie Wheelhouse neu, um die Datei beiseitezulegen und eine neue zu beginnen. Bis dahin bleiben neue Daten im Speicher.',
    },
    'disk-full': {
      short: 'Datenträger voll',
      title: 'Datenträger voll: Neues wird nicht gespeichert',
      text: 'Gespeicherte Daten sind weiterhin verfügbar. Schaffen Sie Platz, dann macht Wheelhouse automatisch weiter.',
    },
    unsupported: {
      short: 'Auf diesem Computer nicht unterstützt',
      title: 'Auf diesem Computer wird kein Verlauf gespeichert',
      text: 'Die lokale Datenbank läuft hier nicht. Alles andere funktioniert, aber frühere Kosten sind unbekannt.',
    },
    failed: {
      short: 'Lässt sich nicht öffnen',
      title: 'Lokale Daten ließen sich nicht öffnen',
      text: 'Die Datei ist unverändert. Bis sie sich öffnen lässt, bleiben neue Daten im Speicher.',
    },
  },
  quarantine: {
    title: 'Alte Dateien',
    text: 'Dateien, die nicht gelesen werden konnten. Speichern Sie, was Sie noch brauchen, und löschen Sie den Rest.',
    settings: 'Einstellungen',
    database: 'Verschlüsselte Datenbank',
    size: '{count} KB',
    mayHoldRemovedAccounts: 'Enthält vielleicht Daten eines entfernten Kontos',
    uncleared:
      'Daten von {account} konnten nicht aus alten Dateien gelöscht werden: {files}. Löschen Sie diese in den Einstellungen unter „Lokale Daten“.',
    save: 'Speichern …',
    saveOne: '{name} speichern',
    delete: 'Löschen',
    deleteOne: '{name} löschen',
    confirm: { title: 'Datei {name} löschen?', text: 'Die Datei wird endgültig gelöscht.' },
    saved: 'Als {file} gespeichert',
  },
  retry: 'Erneut versuchen',
  startAfresh: 'Neue Datei beginnen',
  ledger: {
    reading: 'Abrechnungen werden geladen: {known} von {total}.',
    readingSome: 'Abrechnungen werden geladen: bisher {known}.',
    waiting: 'Abrechnungen unvollständig: {known} von {total} geladen.',
    waitingSome: 'Abrechnungen unvollständig: bisher {known} geladen.',
    text: 'Bis dahin sind frühere Kosten unvollständig.',
    label: 'Geladene Abrechnungen',
    kept: '{known} Abrechnungen',
    keptAge: '{known} Abrechnungen, aktualisiert {age}',
  },
}
