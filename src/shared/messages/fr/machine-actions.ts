import type { Translation } from '../translation'
import type { machineActions as english } from '../en/machine-actions'

export const machineActions: Translation<typeof english> = {
  menu: 'Actions pour {machine}',
  actions: {
    start: 'Démarrer',
    stop: 'Arrêter',
    reboot: 'Redémarrer',
    delete: 'Supprimer',
  },
  menuItems: {
    start: 'Démarrer…',
    stop: 'Arrêter…',
    reboot: 'Redémarrer…',
    delete: 'Supprimer…',
    run: 'Exécuter une commande…',
    like: 'Créer une machine identique',
    template: 'Enregistrer comme modèle…',
    tag: 'Étiquettes, notes et rappels',
  },
  why: {
    'not-offered': 'Ce service ne le permet pas.',
    start: 'Déjà en marche.',
    stop: 'Déjà arrêtée.',
    'not-now': 'Impossible dans cet état ({status}).',
    'none-reachable': 'Aucune de ces machines n’est joignable pour l’instant.',
    'too-many': 'Une commande s’exécute sur {count} machines au plus.',
  },
  confirm: {
    start: {
      title: 'Démarrer {machine} ?',
      titleMany: 'Démarrer {count} machine ? | Démarrer {count} machines ?',
    },
    stop: {
      title: 'Arrêter {machine} ?',
      titleMany: 'Arrêter {count} machine ? | Arrêter {count} machines ?',
    },
    reboot: {
      title: 'Redémarrer {machine} ?',
      titleMany: 'Redémarrer {count} machine ? | Redémarrer {count} machines ?',
    },
    delete: {
      title: 'Supprimer {machine} ?',
      titleMany: 'Supprimer {count} machine ? | Supprimer {count} machines ?',
    },
  },
  text: {
    start: 'Vous pourrez vous y connecter dès qu’elle sera en marche.',
    stop: 'Une machine arrêtée reste facturée. Seule sa suppression met fin à son coût. Les programmes en cours sont interrompus.',
    reboot: 'Les programmes en cours sont interrompus.',
    delete:
      'La machine et tout le contenu de ses disques sont supprimés définitivement. Les volumes attachés sont conservés et restent facturés.',
  },
  textMany: {
    start: 'Vous pourrez vous y connecter dès qu’elles seront en marche.',
    stop: 'Des machines arrêtées restent facturées. Seule leur suppression met fin à leur coût. Les programmes en cours sont interrompus.',
    reboot: 'Les programmes en cours sont interrompus.',
    delete:
      'Les machines et tout le contenu de leurs disques sont supprimés définitivement. Les volumes attachés sont conservés et restent facturés.',
  },
  unknown: {
    start:
      'Le service refusera peut-être de démarrer cette machine. | Le service refusera peut-être de démarrer ces machines.',
    stop: 'Le service refusera peut-être d’arrêter cette machine. | Le service refusera peut-être d’arrêter ces machines.',
    reboot:
      'Le service refusera peut-être de redémarrer cette machine. | Le service refusera peut-être de redémarrer ces machines.',
    delete:
      'Le service refusera peut-être de supprimer cette machine. | Le service refusera peut-être de supprimer ces machines.',
  },
  typeName: 'Saisissez {machine} pour confirmer la suppression',
  skipped: { running: 'déjà en marche', stopped: 'pas en marche', moving: 'changement d’état en cours' },
  lost: '{size} Go sur disque seront perdus.',
  toast: {
    start: 'Démarrage de {machine}',
    stop: 'Arrêt de {machine}. La facturation continue.',
    reboot: 'Redémarrage de {machine}',
    delete: 'Machine {machine} supprimée',
  },
  selection: {
    label: 'Machines sélectionnées',
  },
  gone: {
    one: '{machine} n’existe plus sur le service.',
    many: '{machines} n’existent plus sur le service.',
  },
}
