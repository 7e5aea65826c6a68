import type { Translation } from '../translation'
import type { store as english } from '../en/store'

export const store: Translation<typeof english> = {
  title: 'Données locales',
  text: 'Relevés, consommation, limites, notes, noms et historique des machines, chiffrés avec une clé de votre trousseau.',
  state: 'État',
  reason: 'Erreur système : {reason}',
  quarantined: {
    title: 'Les données locales n’ont pas pu être lues',
    text: 'Elles sont endommagées ou viennent d’une autre version de Wheelhouse. Le fichier a été déplacé vers {file} et un nouveau a été créé. Les relevés et la consommation sont rechargés depuis le service. Les données conservées seulement ici, comme la charge passée, sont perdues.',
  },
  states: {
    opening: { short: 'Pas encore ouvertes' },
    open: { short: 'Chiffrées' },
    'no-keychain': {
      short: 'En mémoire jusqu’à ce que vous quittiez',
      title: 'L’historique n’est pas enregistré : trousseau indisponible',
      text: 'Wheelhouse n’enregistre les données privées que chiffrées, avec une clé de votre trousseau. Sans clé, elles restent en mémoire et sont perdues quand vous quittez Wheelhouse.',
    },
    locked: {
      short: 'En attente du trousseau',
      title: 'Déverrouillez votre trousseau pour ouvrir les données locales',
      text: 'Vos données sont en sécurité et s’ouvrent automatiquement dès que le trousseau est déverrouillé. D’ici là, les nouvelles données restent en mémoire.',
    },
    'key-lost': {
      short: 'Clé perdue',
      title: 'Impossible d’ouvrir les données locales : leur clé est perdue',
      text: 'Votre trousseau ne contient plus la clé du fichier. Restaurez le trousseau pour l’ouvrir, ou créez un nouveau fichier : l’ancien est conservé.',
    },
    damaged: {
      short: 'Endommagées',
      title: 'Impossible de lire les données locales',
      text: 'Elles sont endommagées ou viennent d’une autre version de Wheelhouse. Redémarrez Wheelhouse pour mettre le fichier de côté et en créer un nouveau. D’ici là, les nouvelles données restent en mémoire.',
    },
    'disk-full': {
      short: 'Disque plein',
      title: 'Disque plein : rien de nouveau n’est enregistré',
      text: 'Les données enregistrées restent disponibles. Libérez de l’espace : Wheelhouse reprend automatiquement.',
    },
    unsupported: {
      short: 'Non prises en charge sur cet ordinateur',
      title: 'L’historique n’est pas enregistré sur cet ordinateur',
      text: 'La base de données locale ne fonctionne pas ici. Tout le reste fonctionne, mais les coûts passés sont inconnus.',
    },
    failed: {
      short: 'Impossibles à ouvrir',
      title: 'Impossible d’ouvrir les données locales',
      text: 'Le fichier est inchangé. Tant qu’il n’est pas ouvert, les nouvelles données restent en mémoire.',
    },
  },
  quarantine: {
    title: 'Anciens fichiers',
    text: 'Fichiers qui n’ont pas pu être lus. Enregistrez ce dont vous avez encore besoin et supprimez le reste.',
    settings: 'Réglages',
    database: 'Base de données chiffrée',
    size: '{count} ko',
    mayHoldRemovedAccounts: 'Contient peut-être des données d’un compte oublié',
    uncleared:
      'Les données de {account} n’ont pas pu être effacées d’anciens fichiers : {files}. Supprimez-les dans les réglages, sous Données locales.',
    save: 'Enregistrer…',
    saveOne: 'Enregistrer {name}',
    delete: 'Supprimer',
    deleteOne: 'Supprimer {name}',
    confirm: { title: 'Supprimer {name} ?', text: 'Le fichier est supprimé définitivement.' },
    saved: 'Enregistré sous {file}',
  },
  retry: 'Réessayer',
  startAfresh: 'Créer un nouveau fichier',
  ledger: {
    reading: 'Chargement des relevés : {known} sur {total}.',
    readingSome: 'Chargement des relevés : {known} pour l’instant.',
    waiting: 'Relevés incomplets : {known} sur {total} chargés.',
    waitingSome: 'Relevés incomplets : {known} chargés pour l’instant.',
    text: 'D’ici là, les coûts passés sont incomplets.',
    label: 'Relevés chargés',
    kept: 'Total : {known}',
    keptAge: 'Total : {known}, mis à jour {age}',
  },
}
