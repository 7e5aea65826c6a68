import type { Translation } from '../translation'
import type { armedCreations as english } from '../en/armed-creations'

export const armedCreations: Translation<typeof english> = {
  attempt: 'Enregistrement de la création en attente',
  title: 'En attente de stock',
  hint: 'Cet ordinateur ne doit pas être en veille, Wheelhouse doit être en marche et le compte connecté. Le stock est vérifié chaque minute. Chaque création est envoyée une fois au plus.',
  offer: 'En rupture. Wheelhouse peut créer la machine, une seule fois, au retour en stock.',
  arm: 'Créer au retour en stock…',
  set: 'En attente de {flavor}',
  backInForm: 'Machine {machine} : l’attente est annulée. Ses données sont dans le formulaire.',
  dialog: {
    title: 'Créer {machine} au retour en stock de {flavor}',
    changeTitle: 'Modifier l’attente de {machine}',
    cap: 'Prix maximal par heure, en {currency}',
    price: 'Prix catalogue actuel : {price}.',
    perGpu:
      'Un catalogue peut indiquer le prix d’un seul GPU. {count} × {price} = {total} ne doit donc pas non plus dépasser votre prix maximal.',
    unpriced: 'Le catalogue n’indique aucun prix. Rien n’est créé tant que c’est le cas.',
    until: 'Attendre jusqu’au',
    action: 'Attendre et créer',
    change: 'Enregistrer',
    invalidCap: 'Saisissez un montant supérieur à 0.',
    invalidUntil: 'Choisissez un moment à venir, dans un délai d’un an.',
    notStored: 'Le stockage chiffré n’est pas ouvert : l’attente prend fin quand Wheelhouse se ferme.',
    bill: 'La machine est facturée dès sa création, même en votre absence.',
  },
  waiting: 'Jusqu’au {time}, {cap} par heure au plus',
  sending: 'En stock. Envoi…',
  delays: {
    'above-cap': 'En stock, mais jusqu’à {price} par heure. L’attente d’un prix plus bas continue.',
    'no-price': 'En stock, mais sans prix. L’attente continue.',
    'other-currency': 'En stock, mais avec un prix en {currency}. L’attente continue.',
    'not-sent': 'En stock, mais rien n’a pu être envoyé : {reason}. Wheelhouse réessaie.',
  },
  ended: {
    expired: 'Non créée : l’attente a pris fin ({time}).',
    failed: 'Non créée : {reason}.',
    unknown:
      'Envoyée, mais la réponse s’est perdue : la machine est peut-être en marche et facturée. Vérifiez les machines et la consommation avant un nouvel envoi.',
  },
  change: 'Modifier…',
  again: 'Attendre à nouveau…',
  cancel: 'Ne pas créer',
  openForm: 'Ouvrir le formulaire',
  dismiss: 'Masquer',
  notices: {
    created: 'Machine {machine} : création en cours',
    createdText: '{flavor} est de nouveau en stock. La machine est facturée jusqu’à sa suppression.',
    aboveCap: '{flavor} est en stock, mais pas à votre prix',
    noPrice: '{flavor} est en stock, mais son prix n’est pas comparable',
    expired: 'Machine {machine} : non créée',
    failed: 'Machine {machine} : non créée',
    unknown: 'La machine {machine} a-t-elle été créée ?',
  },
}
