import type { Translation } from '../translation'
import type { sshConsent as english } from '../en/ssh-consent'

export const sshConsent: Translation<typeof english> = {
  title: 'SSH sur vos machines',
  question: 'Autoriser Wheelhouse à utiliser SSH sur vos machines ?',
  text: 'Wheelhouse se connecte à toutes les machines de {account}, y compris les nouvelles, avec l’utilisateur et la clé de votre terminal. Choisissez ce qu’il peut faire :',
  purposes: {
    gpu: {
      name: 'Surveillance des GPU',
      text: 'N’exécute que nvidia-smi (ou amd-smi, ou rocm-smi) sur les machines en marche, et ps, ls et cat pour nommer les programmes sur leurs GPU : chaque minute, et toutes les quelques secondes quand l’onglet GPU est ouvert. Toutes les cinq minutes, lit aussi l’espace disque, la mémoire, la charge et les erreurs GPU du noyau. Les mesures restent sur cet ordinateur, chiffrées, 90 jours au plus.',
    },
    services: {
      name: 'Services',
      text: 'Trouve Jupyter, TensorBoard et d’autres programmes avec ss (ou /proc/net/tcp) quand l’onglet Services est ouvert. Les ouvre par un tunnel que seul cet ordinateur peut utiliser.',
    },
    files: {
      name: 'Fichiers',
      text: 'Liste et gère les fichiers en SFTP quand l’onglet Fichiers est ouvert. Les sommes de contrôle sont calculées avec openssl ou sha256sum, si la machine les possède.',
    },
    startup: {
      name: 'Démarrage',
      text: 'Se connecte à une machine que vous avez créée jusqu’à ce que SSH réponde, puis exécute cloud-init status toutes les 10 secondes jusqu’à la fin de sa configuration initiale. Lit la fin du journal de cette configuration après une erreur, et tant que vous le gardez ouvert.',
    },
    look: {
      name: 'Examen avant suppression',
      text: 'Avant que vous arrêtiez ou supprimiez une machine, lit une seule fois, 10 secondes au plus : dépôts Git, programmes sur les GPU, sessions tmux et screen, gros fichiers récents. Ne modifie rien.',
    },
    jobs: {
      name: 'Tâches',
      text: 'Tant que vous suivez une tâche sur une machine, demande une fois par minute si elle est encore en cours, et lit la fin de son journal quand elle se termine ou que vous l’ouvrez. Ne lance que les commandes que vous saisissez.',
    },
  },
  hostKeys:
    'Rien n’est installé. La première clé d’hôte de chaque machine est approuvée et enregistrée, sauf si les réglages imposent de demander d’abord.',
  later: 'Vous pourrez changer ces choix dans les réglages, et pour une machine dans son onglet Connexion.',
  give: 'Autoriser sur toutes les machines',
  giveHere: 'Seulement sur cette machine',
  off: {
    title: '{purpose} : SSH est désactivé pour cette machine',
    text: 'Vous l’avez désactivé pour {machine}. Les autres machines ne sont pas concernées.',
    turnOn: 'Activer',
  },
  label: 'Utiliser SSH pour',
  settings: {
    text: 'S’applique à toutes les machines de ce compte, y compris les nouvelles. Les commandes, terminaux, transferts et redirections de port que vous lancez n’exigent aucune autorisation. L’ajout d’une règle de pare-feu non plus : Wheelhouse demande votre adresse à la machine par une connexion déjà ouverte.',
    machineHint: 'Désactiver la surveillance des GPU supprime les mesures de cette machine.',
    choose: 'Choisir dans les réglages',
  },
  stop: {
    title: 'Arrêter la surveillance des GPU ?',
    text: 'Wheelhouse cesse de surveiller les machines de {account} et supprime leurs mesures GPU de cet ordinateur.',
    action: 'Arrêter la surveillance',
  },
}
