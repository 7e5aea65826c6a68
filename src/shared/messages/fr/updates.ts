import type { Translation } from '../translation'
import type { updates as english } from '../en/updates'

export const updates: Translation<typeof english> = {
  label: 'Mises à jour',
  off: {
    checkout: 'Désactivées : Wheelhouse s’exécute depuis son code source',
    'test-build': 'Désactivées dans les versions de test',
    package:
      'Mettez Wheelhouse à jour comme vous l’avez installé : avec votre gestionnaire de paquets ou un nouveau téléchargement',
    'no-feed': 'Désactivées : cette version n’a pas de serveur de mise à jour',
  },
  unchecked: 'Pas encore vérifié',
  current: 'À jour, vérifié {age}',
  checking: 'Vérification…',
  available: 'La version {version} est disponible',
  downloading: 'Version {version} téléchargée à {percent} %',
  ready: 'La version {version} est prête à être installée',
  held: {
    creation: 'Une machine est en cours de création. Redémarrez ensuite.',
    transfers: 'Des fichiers sont en cours de copie. Redémarrez ensuite, ou annulez ces transferts.',
  },
  notes: 'Nouveautés',
  check: 'Rechercher des mises à jour',
  download: 'Télécharger',
  skip: 'Ignorer cette version',
  restart: 'Redémarrer pour installer…',
  automatic: 'Recherche automatique',
  automaticText: 'Rechercher des mises à jour une fois par jour',
  failed: {
    unreachable: {
      title: 'Impossible de télécharger la mise à jour',
      next: 'Vérifiez votre réseau et le proxy dans Réglages > Réseau, puis réessayez.',
    },
    'no-release': {
      title: 'Le serveur de mise à jour ne propose aucune version',
      next: 'Réessayez plus tard.',
    },
    damaged: {
      title: 'La mise à jour était endommagée',
      next: 'Elle ne correspond pas à sa somme de contrôle ou à sa signature : rien n’a été installé. Réessayez plus tard.',
    },
    'not-installed': {
      title: 'Impossible d’installer la mise à jour',
      next: 'Cette version fonctionne toujours. Vérifiez que vous pouvez écrire dans le dossier de Wheelhouse et que le disque a de la place.',
    },
    unknown: {
      title: 'La mise à jour a échoué',
      next: 'Cette version fonctionne toujours. Réessayez plus tard.',
    },
    reason: 'Raison : {reason}',
  },
  dialog: {
    title: 'Redémarrer pour installer la version {version} ?',
    text: 'Wheelhouse se ferme et se rouvre dans la nouvelle version. Les sessions SSH de votre terminal restent ouvertes.',
    unsaved:
      'Cette page contient des modifications non enregistrées. Enregistrez-les ou annulez-les, puis redémarrez.',
    action: 'Redémarrer',
  },
  notice: {
    available: 'Mise à jour disponible',
    ready: 'Redémarrer et installer',
  },
}
