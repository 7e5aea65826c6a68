import type { Translation } from '../translation'
import type { lastLook as english } from '../en/last-look'

export const lastLook: Translation<typeof english> = {
  attempt: 'Auf der Maschine nachsehen',
  title: { stop: 'Was ein Stopp unterbrechen würde', delete: 'Was verloren ginge' },
  looking: 'Auf {machine} wird nachgesehen …',
  again: 'Erneut nachsehen',
  terminal: 'Terminal öffnen',
  download: 'Herunterladen',
  downloadNamed: '{name} herunterladen',
  downloading: '{name} wird heruntergeladen',
  terminalFor: 'Terminal öffnen für {name}',
  push: {
    title: '{path} pushen',
    open: '{name} pushen …',
    reading: 'Branches und Remotes werden gelesen …',
    branch: 'Branch',
    commits: '{branch}: {count} Commit nicht gepusht | {branch}: {count} Commits nicht gepusht',
    to: 'Nach {branch} auf {remote}: {url}',
    command: 'Befehl zum Pushen',
    text: 'Läuft einmal auf {machine} als Job, ohne Force und ohne Frage nach einem Passwort. Danach wird hier erneut nachgesehen. Pushen erlaubt Wheelhouse, Jobs auf dieser Maschine über SSH zu verfolgen.',
    action: 'Pushen',
    none: 'Kein Branch mit nicht gepushten Commits hat ein Remote. Öffnen Sie ein Terminal, um eines hinzuzufügen.',
    unread: 'Die Branches konnten nicht gelesen werden: {reason}',
  },
  nothing: {
    stop: 'Keine Programme auf den GPUs und keine Sitzungen von tmux oder screen.',
    delete:
      'Keine ungesicherte Git-Arbeit, keine Programme auf den GPUs, keine Sitzungen und keine großen neuen Dateien. Andere Dateien wurden nicht geprüft.',
  },
  nothingFound: 'Nichts gefunden, soweit gelesen werden konnte.',
  clean:
    '{count} weiteres Repository ohne ungesicherte Arbeit. | {count} weitere Repositorys ohne ungesicherte Arbeit.',
  failed: '{machine}: Nachsehen nicht möglich: {reason}',
  unsafe: 'Was verloren ginge, ist unbekannt.',
  consent: {
    text: {
      stop: 'Wheelhouse kann vorher über SSH nach laufenden Programmen und Sitzungen sehen. Auf der Maschine wird nichts geändert.',
      delete:
        'Wheelhouse kann vorher über SSH nach Git-Arbeit, laufenden Programmen, Sitzungen und großen neuen Dateien sehen. Es liest höchstens 10 Sekunden lang die Repositorys im Home-Verzeichnis und auf Volumes und ändert nichts.',
    },
    everywhere: 'Auf allen Maschinen erlauben',
    here: 'Nur auf dieser Maschine | Nur auf diesen Maschinen',
  },
  repository: {
    changes: '{count} Änderung ohne Commit | {count} Änderungen ohne Commit',
    unpushed: '{count} Commit ohne Push | {count} Commits ohne Push',
    tagged: '{count} Commit nur auf Tags | {count} Commits nur auf Tags',
    stashes: '{count} Stash | {count} Stashes',
    unread: 'nicht lesbar: {reason}',
  },
  groups: {
    repositories: 'Git',
    programs: 'Auf den GPUs',
    sessions: 'Sitzungen',
    files: 'Große Dateien des letzten Tages | Große Dateien der letzten {count} Tage',
    gaps: 'Nicht gelesen',
  },
  process: 'Prozess {pid}',
  processes: '{count} Prozesse',
  file: '{size}, geschrieben {time}',
  mount: 'auf {mount}, vielleicht einem angehängten Volume',
  more: 'und {count} weitere',
  parts: {
    git: 'Git',
    files: 'Dateien',
    gpus: 'GPUs',
    tmux: 'tmux',
    screen: 'screen',
    answer: 'Antwort der Maschine',
  },
  problems: {
    'out-of-time': 'die Zeit reichte nicht',
    'not-installed': 'das Programm ist nicht installiert',
    'not-searched': 'nicht durchsucht: {path}',
    'too-many': 'es gibt zu viele Einträge',
    'too-long': 'die Antwort ist zu lang',
    'odd-name': 'ein Name ist nicht lesbar',
    'cut-off': 'die Antwort ist unvollständig',
  },
}
