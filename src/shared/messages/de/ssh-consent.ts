import type { Translation } from '../translation'
import type { sshConsent as english } from '../en/ssh-consent'

export const sshConsent: Translation<typeof english> = {
  title: 'SSH auf Maschinen',
  question: 'Darf Wheelhouse SSH auf Ihren Maschinen verwenden?',
  text: 'Wheelhouse meldet sich bei allen Maschinen von {account} an, auch bei neuen, mit demselben Benutzer und Schlüssel wie Ihr Terminal. Wählen Sie, was erlaubt ist:',
  purposes: {
    gpu: {
      name: 'GPU-Überwachung',
      text: 'Führt auf laufenden Maschinen nur nvidia-smi (oder amd-smi oder rocm-smi) aus, dazu ps, ls und cat, um die Programme auf den GPUs zu benennen: jede Minute, und alle paar Sekunden, solange der Tab „GPU“ offen ist. Alle fünf Minuten werden auch Speicherplatz, Arbeitsspeicher, Last und GPU-Fehler des Kernels gelesen. Messwerte bleiben bis zu 90 Tage verschlüsselt auf diesem Computer.',
    },
    services: {
      name: 'Dienste',
      text: 'Findet mit ss (oder /proc/net/tcp) Jupyter, TensorBoard und andere Programme, solange der Tab „Dienste“ offen ist. Öffnet sie durch einen Tunnel, den nur dieser Computer nutzen kann.',
    },
    files: {
      name: 'Dateien',
      text: 'Listet und verwaltet Dateien über SFTP, solange der Tab „Dateien“ offen ist. Prüfsummen werden mit openssl oder sha256sum berechnet, falls auf der Maschine vorhanden.',
    },
    startup: {
      name: 'Maschinenstart',
      text: 'Verbindet sich mit einer von Ihnen erstellten Maschine, bis SSH antwortet, und führt dann alle 10 Sekunden cloud-init status aus, bis die Einrichtung abgeschlossen ist. Liest das Ende des Logs der Einrichtung nach einem Fehler und solange Sie es geöffnet haben.',
    },
    look: {
      name: 'Vor dem Löschen nachsehen',
      text: 'Liest einmal, höchstens 10 Sekunden lang, bevor Sie eine Maschine stoppen oder löschen: Git-Repositorys, Programme auf den GPUs, Sitzungen von tmux und screen sowie große neue Dateien. Ändert nichts.',
    },
    jobs: {
      name: 'Jobs',
      text: 'Fragt, solange Sie auf einer Maschine einen Job beobachten, einmal pro Minute, ob er noch läuft, und liest das Ende des Logs, wenn er endet oder Sie es öffnen. Startet nur Befehle, die Sie eingeben.',
    },
  },
  hostKeys:
    'Es wird nichts installiert. Der erste Hostschlüssel jeder Maschine gilt als vertrauenswürdig und wird gespeichert, außer wenn die Einstellungen eine Rückfrage vorsehen.',
  later: 'Sie können das in den Einstellungen ändern, und für eine Maschine in ihrem Tab „Verbindung“.',
  give: 'Auf allen Maschinen erlauben',
  giveHere: 'Nur auf dieser Maschine',
  off: {
    title: '{purpose}: SSH ist für diese Maschine ausgeschaltet',
    text: 'Sie haben es für {machine} ausgeschaltet. Andere Maschinen sind nicht betroffen.',
    turnOn: 'Einschalten',
  },
  label: 'SSH verwenden für',
  settings: {
    text: 'Gilt für alle Maschinen dieses Kontos, auch für neue. Befehle, Terminals, Übertragungen und weitergeleitete Ports, die Sie starten, brauchen keine Erlaubnis. Auch das Hinzufügen einer Firewallregel braucht keine: Wheelhouse fragt die Maschine über eine bereits offene Verbindung nach Ihrer Adresse.',
    machineHint: 'Das Ausschalten der GPU-Überwachung löscht die Messwerte dieser Maschine.',
    choose: 'In den Einstellungen wählen',
  },
  stop: {
    title: 'GPU-Überwachung beenden?',
    text: 'Wheelhouse überwacht die Maschinen von {account} nicht mehr und löscht ihre GPU-Messwerte von diesem Computer.',
    action: 'Überwachung beenden',
  },
}
