import type { Translation } from '../translation'
import type { sshKeys as english } from '../en/ssh-keys'

export const sshKeys: Translation<typeof english> = {
  attempt: 'SSH-Schlüssel verwenden',
  title: 'SSH-Schlüssel',
  text: 'Schlüssel auf diesem Computer, mit denen sich Maschinen öffnen lassen. Nach dem ersten Erfolg wird nur noch dieser Schlüssel verwendet.',
  loading: 'SSH-Schlüssel werden geladen …',
  none: 'Noch keine SSH-Schlüssel. Erzeugen Sie einen oder legen Sie einen in {folder} ab.',
  cut: 'Nur die ersten 500 Dateien von {folder} werden angezeigt.',
  noAgent: 'Es läuft kein SSH-Agent.',
  unnamed: 'Kein Kommentar',
  agentOnly: 'Nur im SSH-Agent',
  noFingerprint: 'Fingerabdruck unbekannt: Schlüssel mit Passphrase und ohne öffentliche Datei',
  encrypted: 'Passphrase',
  unencrypted: 'Ohne Passphrase',
  hardware: 'Sicherheitsschlüssel',
  inAgent: 'Im Agent',
  publicKey: 'Öffentlicher Schlüssel von {name}',
  opens: 'Hat {machines} geöffnet',
  andMore: '{machines} und {count} weitere',
  generate: 'Schlüssel erzeugen …',
  comment: 'Kommentar',
  commentHint: 'Steht am Ende des öffentlichen Schlüssels, damit Sie ihn wiedererkennen.',
  passphrase: 'Passphrase (optional)',
  passphraseHint: 'Schützt den Schlüssel, falls jemand die Datei kopiert. Mindestens 5 Zeichen.',
  showPassphrase: 'Passphrase anzeigen',
  hidePassphrase: 'Passphrase verbergen',
  noPassphrase:
    'Um mit dem OpenSSH dieses Computers eine Passphrase festzulegen, führen Sie ssh-keygen in einem Terminal aus.',
  generated: 'Schlüssel erzeugt',
}
