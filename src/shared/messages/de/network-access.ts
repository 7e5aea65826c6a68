import type { Translation } from '../translation'
import type { networkAccess as english } from '../en/network-access'

export const networkAccess: Translation<typeof english> = {
  title: 'Netzwerk',
  dialog: 'Netzwerkeinstellungen',
  open: 'Netzwerkeinstellungen …',
  text: 'Wie Wheelhouse Ihre Dienste erreicht. Dienste auf diesem Computer laufen nie über einen Proxy.',
  proxy: {
    label: 'Proxy',
    system: 'Systemeinstellungen',
    environment: 'Umgebung ({proxy})',
    malformed:
      '{variable} ist keine gültige Proxy-Adresse (wie http://proxy.example.com:8080) und wird nicht verwendet.',
    manual: 'Manuell',
    pac: 'PAC-Datei',
    none: 'Kein Proxy',
    address: 'Proxy-Adresse',
    addressHint: 'host:port, etwa proxy.example.com:8080',
    pacAddress: 'Adresse der PAC-Datei',
    pacHint: 'Eine Webadresse oder ein Pfad auf diesem Computer',
    saved: 'Proxy gespeichert',
  },
  authorities: {
    label: 'Zertifizierungsstellen',
    none: 'Zertifikate des Systems',
    added: 'Zusätzlich vertrauenswürdig: {names}',
    add: 'Datei hinzufügen …',
    remove: 'Entfernen',
  },
  signIns: {
    label: 'Anmeldung bei {proxy}',
    signedOut: 'Nicht angemeldet',
    signOut: 'Verwerfen',
    signIn: 'Anmelden …',
  },
  question: {
    title: 'Beim Proxy {proxy} anmelden',
    text: 'Ihr Netzwerk verlangt das, bevor Sie Ihre Dienste erreichen.',
    realm: 'Er nennt sich „{realm}“.',
    refused: 'Der Proxy hat diese Anmeldedaten abgelehnt.',
    username: 'Benutzername',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    hide: 'Passwort verbergen',
    remember: 'Im Schlüsselbund speichern',
    action: 'Anmelden',
  },
}
