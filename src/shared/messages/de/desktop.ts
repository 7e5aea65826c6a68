import type { Translation } from '../translation'
import type { desktop as english } from '../en/desktop'

export const desktop: Translation<typeof english> = {
  tray: {
    tooltip:
      'Wheelhouse: keine laufenden Maschinen | Wheelhouse: {count} laufende Maschine | Wheelhouse: {count} laufende Maschinen',
    running: '{count} läuft | {count} laufen',
    perHour: '{amount}/h',
    machine: '{name} ({state})',
    bareMetal: 'Bare Metal',
    notReachable: '{state}, {reason}',
    disabledReason: { stopped: 'zum Verbinden starten', 'no-address': 'wartet auf eine Adresse' },
    stateUnknown: 'Zustand unbekannt',
    gpu: 'GPU {percent} %',
    cpu: 'CPU {percent} %',
    soFar: 'bisher {amount}',
    stillBilled: '{countdown}, kostet weiter',
    deleteInstead: '{countdown}, kostet weiter, bis sie gelöscht wird',
    job: '{name} auf {machine}',
    actions: 'Aktionen',
    show: 'In Wheelhouse anzeigen',
    stop: 'Stoppen …',
    forward: '{service} von {machine} unter {address}',
    signedOut: 'Abgemeldet. Anmelden …',
    noMachines: 'Keine Maschinen',
    more: '{count} weitere …',
    open: 'Wheelhouse öffnen',
    quit: 'Beenden',
  },
  stays: {
    title: 'Wheelhouse läuft weiter',
    text: 'Es bleibt im Infobereich. Dort können Sie es öffnen oder beenden.',
  },
  unwatched: {
    title: 'Wheelhouse beenden und Limits nicht mehr überwachen?',
    text: 'Dieser Desktop zeigt kein Symbol im Infobereich. Deshalb kann Wheelhouse Ihre Limits und Erinnerungen nur prüfen, solange sein Fenster offen ist.',
    quit: 'Beenden',
    minimize: 'Nur minimieren',
  },
  secretKept: {
    title: 'Ein Geheimnis ist noch in der Zwischenablage',
    text: 'Öffnen Sie Wheelhouse, um es zu löschen.',
  },
  fieldMenu: {
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
  },
  menu: { settings: 'Einstellungen …', view: 'Ansicht', help: 'Hilfe', guide: 'Handbuch' },
  chooseIdentity: { title: 'Privaten Schlüssel wählen', button: 'Diesen Schlüssel verwenden' },
  chooseAuthorities: {
    title: 'Datei mit Zertifizierungsstellen wählen',
    button: 'Diesen vertrauen',
  },
  chooseTemplate: { title: 'Exportierte Vorlage auswählen', button: 'Importieren' },
  chooseTarget: { title: 'Speichern unter' },
  chooseFolder: { title: 'Ordner für die Dateien wählen', button: 'Hierher herunterladen' },
  chooseUploads: {
    files: 'Dateien zum Hochladen wählen',
    folder: 'Ordner zum Hochladen wählen',
    button: 'Hochladen',
  },
  settingsNotice: {
    title: 'Einstellungen nicht lesbar',
    damaged:
      'Die Datei ist beschädigt ({reason}), deshalb wurden die Einstellungen zurückgesetzt. Die alte Datei ist als {file} gespeichert: siehe Einstellungen.',
    partial:
      'Einige Einstellungen sind beschädigt oder stammen von einer anderen Version ({reason}). Sie bleiben in der Datei, die übrigen gelten. Aktualisieren Sie Wheelhouse oder bearbeiten Sie die Datei.',
    unreadable: 'Systemfehler: {reason}. Ihre Einstellungsdatei wird nicht geändert, bis das behoben ist.',
  },
  startFailed: { title: 'Wheelhouse konnte nicht starten' },
  keepsCrashing: {
    title: 'Dieses Fenster stürzt immer wieder ab',
    text: 'Ihre Maschinen laufen weiter. Öffnen Sie das Fenster erneut, oder beenden Sie Wheelhouse und starten es neu.',
    again: 'Erneut öffnen',
    quit: 'Beenden',
  },
  noSandbox: {
    title: 'Wheelhouse kann hier nicht sicher laufen',
    text: 'Dieses System erlaubt einem AppImage nicht, sein Fenster zu isolieren (Chromium-Sandbox). Installieren Sie das deb- oder rpm-Paket oder erlauben Sie User-Namespaces.',
  },
  readOnly: {
    title: 'Wheelhouse kann nicht in seinen Ordner schreiben',
    text: 'In {folder} kann nichts gespeichert werden. Erlauben Sie das Schreiben in den Ordner oder heben Sie den Schreibschutz des Datenträgers auf, dann starten Sie Wheelhouse erneut.',
  },
  quitWithWork: {
    title:
      'Wheelhouse beenden und {count} laufenden Vorgang stoppen? | Wheelhouse beenden und {count} laufende Vorgänge stoppen?',
    upload: 'Übertragung: {name} nach {machine}',
    download: 'Übertragung: {name} von {machine}',
    terminal: 'Terminal: {machine}',
    forward: 'Weitergeleiteter Port: {port} von {machine}',
    more: 'und {count} weitere',
    transfersText: 'Unvollständige Kopien werden gelöscht.',
    terminalsText:
      'Sitzungen enden, samt den Programmen in ihrem Vordergrund. Dauerhafte Sitzungen laufen weiter.',
    forwardsText: 'Programme, die einen weitergeleiteten Port nutzen, verlieren ihre Verbindung.',
    quit: 'Beenden und stoppen',
    keep: 'Weiterlaufen lassen',
  },
  sshFailed: { title: 'Keine Verbindung zu {machine}' },
}
