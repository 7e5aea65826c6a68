import type { Translation } from '../translation'
import type { files as english } from '../en/files'

export const files: Translation<typeof english> = {
  tab: 'Dateien',
  action: {
    list: 'Dateien auflisten',
    makeFolder: 'Ordner erstellen',
    rename: 'Umbenennen',
    delete: 'Löschen',
    download: 'Herunterladen',
    upload: 'Hochladen',
  },
  notRunning: { title: 'Maschine läuft nicht', text: 'Dateien erscheinen, sobald sie läuft.' },
  loading: 'Dateien werden aufgelistet …',
  path: 'Ordner',
  columns: { name: 'Name', size: 'Größe', modified: 'Geändert' },
  kind: { folder: 'Ordner', link: 'Link', other: 'Gerät oder Pipe', file: 'Datei' },
  list: 'Dateien in {folder}',
  empty: { title: 'Der Ordner ist leer', text: 'Ziehen Sie Dateien hierher, um sie hochzuladen.' },
  onlyHidden: 'Nur versteckte Dateien',
  cut: 'Nur die ersten {count} werden aufgeführt.',
  unreadable: 'Der Name ist kein gültiger Text, deshalb ist das Element hier nicht verwendbar.',
  selected: '{count} von {total} ausgewählt',
  drop: 'Ablegen, um nach {folder} hochzuladen',
  dropWaits: 'Das Hochladen beginnt, sobald der Ordner geöffnet ist.',
  actions: {
    more: 'Mehr',
    parent: 'Übergeordneter Ordner',
    refresh: 'Aktualisieren',
    upload: 'Hochladen',
    uploadFiles: 'Dateien hochladen …',
    uploadFolder: 'Ordner hochladen …',
    newFolder: 'Neuer Ordner …',
    showHidden: 'Versteckte Dateien anzeigen',
    hideHidden: 'Versteckte Dateien ausblenden',
    download: 'Herunterladen …',
    rename: 'Umbenennen …',
    delete: 'Löschen …',
  },
  newFolder: { title: 'Neuer Ordner', name: 'Name', action: 'Ordner erstellen' },
  rename: { title: '{name} umbenennen', name: 'Neuer Name', action: 'Umbenennen' },
  delete: {
    title: '{name} löschen? | {count} Elemente löschen?',
    files: 'Das lässt sich nicht rückgängig machen.',
    folders: 'Ordner werden mit ihrem gesamten Inhalt gelöscht. Das lässt sich nicht rückgängig machen.',
    action: 'Löschen',
  },
  links: {
    title: '{count} Link wird nicht verfolgt | {count} Links werden nicht verfolgt',
    text: 'Links, die aus dem Ordner hinaus, ins Leere oder in ihn zurück zeigen, werden nicht verfolgt, und ihre Ziele werden nicht kopiert: {names}.',
    copyHint:
      'Ein kopierter Link zeigt auf denselben Pfad auf {receiver}; dort kann etwas anderes liegen. Ein Link zurück in den Ordner zeigt in die Kopie.',
    here: 'diesem Computer',
    always: 'Immer so vorgehen. In den Einstellungen änderbar.',
    copy: 'Als Links kopieren',
    skip: 'Überspringen',
  },
  taken: {
    title: '{name} existiert bereits',
    file: {
      upload: 'Auf {machine} gibt es in diesem Ordner bereits eine Datei mit diesem Namen.',
      download: 'Auf diesem Computer gibt es in diesem Ordner bereits eine Datei mit diesem Namen.',
    },
    folder: {
      upload: 'Auf {machine} gibt es in diesem Ordner bereits einen Ordner mit diesem Namen.',
      download: 'Auf diesem Computer gibt es in diesem Ordner bereits einen Ordner mit diesem Namen.',
    },
    replaces: {
      file: 'Die alte Datei wird gelöscht, sobald die Kopie vollständig ist.',
      folder: 'Der alte Ordner wird mit seinem gesamten Inhalt gelöscht, sobald die Kopie vollständig ist.',
    },
    compared: {
      existing: 'Vorhanden',
      copied: 'Neu',
      size: '{size} ({count} Bytes)',
      newer: 'Neuer',
      unknown: 'Datum unbekannt',
    },
    forAll: {
      file: 'Für {count} weitere Datei übernehmen | Für {count} weitere Dateien übernehmen',
      folder: 'Für {count} weiteren Ordner übernehmen | Für {count} weitere Ordner übernehmen',
    },
    replace: 'Ersetzen',
    keepBoth: 'Beide behalten',
    skip: 'Überspringen',
    cancel: 'Übertragung abbrechen',
  },
  nameProblem: 'Verwenden Sie einen Namen ohne „/“, der nicht „.“ oder „..“ ist.',
  transfers: {
    title: 'Übertragungen',
    percent: '{value} %',
    summary: {
      running: '{count} Übertragung läuft, {done} fertig | {count} Übertragungen laufen, {done} fertig',
      failed: '{count} Übertragung fehlgeschlagen | {count} Übertragungen fehlgeschlagen',
      ended: '{count} Übertragung beendet | {count} Übertragungen beendet',
    },
    clear: 'Beendete entfernen',
    download: 'Herunterladen',
    upload: 'Hochladen',
    others: '{name} und {count} weitere | {name} und {count} weitere',
    waiting: 'Warten auf die Verbindung …',
    counting: '{count} Datei gefunden … | {count} Dateien gefunden …',
    asking: 'Wartet auf Ihre Antwort …',
    running: '{done} von {total}',
    rate: '{rate}/s',
    stalled: 'Stockt: Es kommen keine Daten an',
    left: 'noch {duration}',
    files: '{done} von {total} Dateien',
    verifying: 'Prüfsummen werden verglichen …',
    done: {
      checksum: 'Fertig, Prüfsummen stimmen überein',
      size: 'Fertig, Größen stimmen überein',
      changed:
        '{count} Datei hat sich beim Kopieren geändert | {count} Dateien haben sich beim Kopieren geändert',
      none: 'Keine Dateien kopiert',
      skipped:
        '{count} Sonderdatei oder entfernte Datei übersprungen | {count} Sonderdateien oder entfernte Dateien übersprungen',
      links:
        '{count} Link übersprungen, da er aus dem Ordner hinaus, ins Leere oder in ihn zurück zeigt: {names} | {count} Links übersprungen, da sie aus dem Ordner hinaus, ins Leere oder in ihn zurück zeigen: {names}',
      linksFailed:
        '{count} Link konnte nicht kopiert werden ({names}): {reason} | {count} Links konnten nicht kopiert werden ({names}): {reason}',
      linksCopied: '{count} Link als Link kopiert | {count} Links als Links kopiert',
      kept: '{count} übersprungen, da bereits vorhanden | {count} übersprungen, da bereits vorhanden',
      renamed: '{count} umbenannt',
      modesRefused:
        'Zugriffsrechte von {count} Element nicht gesetzt | Zugriffsrechte von {count} Elementen nicht gesetzt',
      timesRefused:
        'Änderungszeit von {count} Element nicht gesetzt | Änderungszeiten von {count} Elementen nicht gesetzt',
      left: 'Ersetzte Elemente konnten nicht gelöscht werden: {names}',
    },
    cancelled: 'Abgebrochen',
    notRemoved: 'Unvollständige Kopien konnten nicht gelöscht werden: {names}. Löschen Sie sie selbst.',
    cancelNamed: 'Übertragung von {name} abbrechen',
    resume: 'Erneut versuchen',
    show: 'Im Ordner anzeigen',
    dismiss: '{name} aus der Liste entfernen',
    progress: 'Fortschritt von {name}',
  },
  bytes: { B: '{value} B', kB: '{value} kB', MB: '{value} MB', GB: '{value} GB', TB: '{value} TB' },
  problem: {
    'no-such-file': 'Auf der Maschine gibt es keine Datei und keinen Ordner mit diesem Namen.',
    'permission-denied': 'Ihr Benutzer auf der Maschine hat keine Berechtigung.',
    unsupported: 'Die Maschine unterstützt das nicht.',
    failure: 'Die Maschine hat es ohne Angabe eines Grundes abgelehnt.',
    said: 'Meldung der Maschine: {said}',
    unnamed:
      'Die Kopie ist vollständig, aber die Maschine hat sie nicht umbenannt. Sie liegt unter {part}. Benennen Sie die Kopie in einem Terminal um, bevor Sie diese Übertragung aus der Liste entfernen, denn das löscht die Kopie. {reason}',
    unnamedMoved:
      'Die Kopie ist vollständig, aber die Maschine hat sie nicht umbenannt. Sie liegt unter {part}, das alte Element unter {aside}. Benennen Sie die Kopie in einem Terminal um, bevor Sie diese Übertragung aus der Liste entfernen, denn das löscht die Kopie. {reason}',
    linkUnreadable: 'Der Link konnte nicht gelesen werden.',
    malformed: 'Die Maschine hat eine unerwartete Antwort gesendet.',
    lost: 'Die Verbindung ist abgebrochen.',
    'no-sftp': 'Die Maschine unterstützt kein SFTP.',
    printed:
      'Die Maschine gab „{line}“ aus, statt SFTP zu starten. Prüfen Sie den Benutzernamen im Tab „Verbindung“. Stimmt er, ändern Sie auf der Maschine die Startdatei oder den erzwungenen Befehl so, dass nur in Terminals etwas ausgegeben wird.',
    sessions:
      'Der SSH-Server der Maschine erlaubt keine weiteren Sitzungen auf dieser Verbindung (MaxSessions). Warten Sie, bis eine Übertragung endet, dann versuchen Sie es erneut.',
    'too-many': 'Es sind zu viele Dateien oder Ordner.',
    'not-all':
      'Der Ordner enthält mehr Elemente, als Wheelhouse auflisten kann, oder Namen, die kein gültiger Text sind. Deshalb wurde nichts gelöscht. Löschen Sie ihn in einem Terminal.',
    checksum:
      'Die Prüfsummen von {count} Datei und ihrer Kopie weichen ab. Versuchen Sie es erneut. | Die Prüfsummen von {count} Dateien und ihren Kopien weichen ab. Versuchen Sie es erneut.',
    checksumAgain:
      'Die Prüfsummen von {count} Datei und ihrer Kopie weichen weiterhin ab. Etwas ändert eine von beiden, oder ein Datenträger ist defekt: Vergleichen Sie beide in einem Terminal. | Die Prüfsummen von {count} Dateien und ihren Kopien weichen weiterhin ab. Etwas ändert sie, oder ein Datenträger ist defekt: Vergleichen Sie sie in einem Terminal.',
    size: 'Die Kopie hat eine andere Größe. Versuchen Sie es erneut.',
  },
}
