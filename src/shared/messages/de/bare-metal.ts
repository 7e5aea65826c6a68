import type { Translation } from '../translation'
import type { bareMetal as english } from '../en/bare-metal'

export const bareMetal: Translation<typeof english> = {
  title: 'Bare Metal',
  why: 'Der Dienst listet Bare Metal nicht auf. Sie sehen hier erstellte oder per ID hinzugefügte Instanzen.',
  create: 'Neue Instanz',
  add: {
    action: 'Per ID hinzufügen',
    title: 'Bare-Metal-Instanz hinzufügen',
    text: 'Die ID finden Sie auf der Website des Dienstes oder dort, wo Sie die Instanz erstellt haben. Das Hinzufügen ändert dort nichts.',
    label: 'ID der Instanz',
    submit: 'Hinzufügen',
    unknown: 'Keine Bare-Metal-Instanz hat diese ID.',
    done: '{instance} hinzugefügt',
    already: '{instance} ist bereits in der Liste',
  },
  filter: { label: 'Bare Metal filtern', placeholder: 'Nach Name, GPU, Adresse, ID filtern …' },
  selection: 'Ausgewählte Instanzen',
  columns: {
    name: 'Name',
    state: 'Zustand',
    gpu: 'GPU',
    region: 'Region',
    address: 'Adresse',
    flavor: 'Flavor',
    uptime: 'Laufzeit',
  },
  presence: {
    unread: 'Wird geladen',
    gone: 'Gelöscht',
    started: 'Gestartet',
    preparing: 'In Vorbereitung',
  },
  loading: 'Bare Metal wird geladen …',
  signedOut: 'Melden Sie sich an, um Bare Metal zu sehen.',
  empty: {
    title: 'Noch kein Bare Metal',
    text: 'Instanzen, die Sie hier erstellen, erscheinen automatisch. Andere fügen Sie per ID hinzu: Der Dienst kann sie nicht auflisten.',
  },
  noMatch: {
    title: 'Keine passenden Instanzen',
    text: 'Keine Treffer für „{filter}“.',
    action: 'Alle Instanzen anzeigen',
  },
  panel: { label: 'Bare-Metal-Instanz {instance}', close: 'Detailbereich schließen' },
  origin: {
    label: 'Herkunft',
    created: 'hier erstellt {age}',
    added: 'per ID hinzugefügt {age}',
    found: 'in der Abrechnung gefunden {age}',
  },
  gone: {
    title: 'Diese Instanz wurde gelöscht',
    text: 'Beim Dienst gibt es nichts mit dieser ID. Entfernen Sie die Instanz aus der Liste, wenn Sie ihre Einzelheiten nicht mehr brauchen.',
  },
  forget: {
    action: 'Aus der Liste entfernen',
    title: '{instance} aus der Liste entfernen?',
    titleMany: '{count} Instanz aus der Liste entfernen? | {count} Instanzen aus der Liste entfernen?',
    text: 'Das ändert nur die Liste. Laufende Instanzen laufen weiter, und Sie zahlen weiterhin.',
    gone: 'Wird nur aus dieser Liste entfernt. Beim Dienst gibt es nichts mit dieser ID. | Wird nur aus dieser Liste entfernt. Beim Dienst gibt es nichts mit diesen IDs.',
    ids: 'ID: {ids} | IDs: {ids}',
    done: '{instance} aus der Liste entfernt',
  },
  user: {
    title: 'Mit welchem Benutzer melden Sie sich an?',
    text: 'Der Dienst meldet keinen Benutzernamen für {machine}. Ihre Eingabe wird gespeichert.',
    label: 'Benutzername',
    hint: 'Oft ubuntu oder root, je nach Image.',
    submit: 'Verbinden',
  },
}
