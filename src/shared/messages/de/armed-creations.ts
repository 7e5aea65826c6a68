import type { Translation } from '../translation'
import type { armedCreations as english } from '../en/armed-creations'

export const armedCreations: Translation<typeof english> = {
  attempt: 'Wartende Erstellung speichern',
  title: 'Wartet auf Verfügbarkeit',
  hint: 'Dazu muss dieser Computer wach sein, Wheelhouse laufen und das Konto angemeldet sein. Die Verfügbarkeit wird jede Minute geprüft. Jede Erstellung wird höchstens einmal gesendet.',
  offer:
    'Ausverkauft. Wheelhouse kann die Maschine einmal erstellen, sobald das Flavor wieder verfügbar ist.',
  arm: 'Erstellen, sobald verfügbar …',
  set: 'Wartet auf {flavor}',
  backInForm: '{machine} wartet nicht mehr. Die Angaben stehen im Formular.',
  dialog: {
    title: '{machine} erstellen, sobald {flavor} wieder verfügbar ist',
    changeTitle: 'Warten für {machine} ändern',
    cap: 'Höchstpreis pro Stunde in {currency}',
    price: 'Katalogpreis jetzt: {price}.',
    perGpu:
      'Ein Katalog kann den Preis einer einzelnen GPU nennen. Deshalb darf auch {count} × {price} = {total} nicht über dem Höchstpreis liegen.',
    unpriced: 'Der Katalog nennt keinen Preis. Solange das so ist, wird nichts erstellt.',
    until: 'Warten bis',
    action: 'Warten und erstellen',
    change: 'Speichern',
    invalidCap: 'Geben Sie einen Betrag über 0 ein.',
    invalidUntil: 'Wählen Sie einen Zeitpunkt innerhalb des nächsten Jahres.',
    notStored:
      'Der verschlüsselte Speicher ist nicht geöffnet. Das Warten endet deshalb, wenn Wheelhouse beendet wird.',
    bill: 'Sie zahlen, sobald die Maschine erstellt ist, auch während Sie nicht da sind.',
  },
  waiting: 'Bis {time}, höchstens {cap} pro Stunde',
  sending: 'Verfügbar. Wird gesendet …',
  delays: {
    'above-cap': 'Verfügbar, aber für bis zu {price} pro Stunde. Wartet weiter auf einen niedrigeren Preis.',
    'no-price': 'Verfügbar, aber ohne Preis. Wartet weiter.',
    'other-currency': 'Verfügbar, aber mit einem Preis in {currency}. Wartet weiter.',
    'not-sent': 'Verfügbar, aber es konnte nichts gesendet werden: {reason}. Wheelhouse versucht es erneut.',
  },
  ended: {
    expired: 'Nicht erstellt: Das Warten endete {time}.',
    failed: 'Nicht erstellt: {reason}.',
    unknown:
      'Gesendet, aber die Antwort ging verloren. Die Maschine läuft vielleicht und kostet dann Geld. Prüfen Sie Maschinen und Nutzung, bevor Sie erneut senden.',
  },
  change: 'Ändern …',
  again: 'Erneut warten …',
  cancel: 'Nicht erstellen',
  openForm: 'Formular öffnen',
  dismiss: 'Ausblenden',
  notices: {
    created: '{machine} wird erstellt',
    createdText: '{flavor} war wieder verfügbar. Sie zahlen, bis Sie die Maschine löschen.',
    aboveCap: '{flavor} ist verfügbar, aber nicht zu Ihrem Preis',
    noPrice: '{flavor} ist verfügbar, aber der Preis ist nicht vergleichbar',
    expired: '{machine} wurde nicht erstellt',
    failed: '{machine} wurde nicht erstellt',
    unknown: 'Wurde {machine} erstellt?',
  },
}
