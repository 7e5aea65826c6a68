import type { Translation } from '../translation'
import type { sshAliases as english } from '../en/ssh-aliases'

export const sshAliases: Translation<typeof english> = {
  title: 'SSH-Aliasse',
  text: 'Erreichen Sie Maschinen per Namen aus jedem Programm auf diesem Computer, das SSH nutzt: ssh, scp, rsync, git und Editoren.',
  switch: 'Für jede Maschine einen Alias anlegen',
  consent:
    'Fügt Ihrer SSH-Konfiguration eine Zeile hinzu und behält eine Kopie der alten. Namen, Benutzernamen und Adressen von Maschinen werden unverschlüsselt in einer zweiten Datei gespeichert.',
  config: 'Ihre SSH-Konfiguration',
  line: 'Erste Zeile Ihrer SSH-Konfiguration',
  file: 'Datei mit den Aliassen',
  preview: 'Vorschau',
  showInFolder: 'Im Ordner anzeigen',
  on: '{count} Alias in Gebrauch | {count} Aliasse in Gebrauch',
  off: '{count} Alias wird angelegt | {count} Aliasse werden angelegt',
  notIncluded:
    'Die Zeile steht nicht mehr in Ihrer SSH-Konfiguration, deshalb funktionieren Aliasse nicht. Schalten Sie dies aus und wieder ein, um sie hinzuzufügen.',
  leftOut: '{count} Maschine ohne Alias | {count} Maschinen ohne Alias',
  reasons: {
    name: 'Der Name darf nur Buchstaben, Ziffern, Binde- und Unterstriche enthalten und braucht mindestens einen Buchstaben.',
    'no-address': 'Die Maschine hat noch keine Adresse.',
    'user-refused':
      'ssh oder der Jump-Host akzeptiert den Benutzernamen nicht. Legen Sie im Tab „Verbindung“ einen anderen fest.',
    'no-user': 'Der Benutzername ist unbekannt. Legen Sie ihn im Tab „Verbindung“ fest.',
    'in-use':
      'In Ihrer SSH-Konfiguration oder der dieses Computers gibt es bereits einen Host mit diesem Namen oder ein passendes Muster.',
    'known-host':
      'Sie haben sich schon mit einem anderen Host dieses Namens verbunden: Er steht in known_hosts. Zum Entfernen führen Sie „ssh-keygen -R“ mit diesem Namen aus.',
    'this-computer':
      'Dieser Computer trägt diesen Namen, oder seine hosts-Datei enthält einen Host mit diesem Namen.',
    'identity-file': 'ssh kann den Namen der Schlüsseldatei nicht lesen.',
  },
  command: 'SSH-Alias',
  none: 'Kein SSH-Alias: {reason}',
  hint: 'Per Namen aus jedem SSH-Programm erreichbar:',
  settings: 'SSH-Aliasse einrichten',
  unreadable: '„{file}“ ist keine lesbare SSH-Konfiguration. Die Datei wurde nicht geändert.',
  refused: 'ssh kann „{file}“ nicht lesen, deshalb wurde die Datei nicht geändert: {reason}',
  readOnly:
    '„{file}“ ist schreibgeschützt. Erlauben Sie das Schreiben oder lassen Sie Aliasse ausgeschaltet.',
  permissions:
    'ssh lehnt „{file}“ ab: Andere Benutzer könnten die Datei ändern. Führen Sie „{command}“ in einem Terminal aus, dann versuchen Sie es erneut.',
  otherFile:
    'Wheelhouse hat „{file}“ nicht erstellt. Verschieben Sie die Datei, dann versuchen Sie es erneut.',
}
