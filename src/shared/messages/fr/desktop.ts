import type { Translation } from '../translation'
import type { desktop as english } from '../en/desktop'

export const desktop: Translation<typeof english> = {
  tray: {
    tooltip:
      'Wheelhouse : aucune machine en marche | Wheelhouse : {count} machine en marche | Wheelhouse : {count} machines en marche',
    running: '{count} en marche | {count} en marche',
    perHour: '{amount}/h',
    machine: '{name} ({state})',
    bareMetal: 'bare metal',
    notReachable: '{state}, {reason}',
    disabledReason: {
      stopped: 'démarrez-la pour vous connecter',
      'no-address': 'en attente d’une adresse',
    },
    stateUnknown: 'état inconnu',
    gpu: 'GPU {percent} %',
    cpu: 'CPU {percent} %',
    soFar: '{amount} jusqu’ici',
    stillBilled: '{countdown}, toujours facturée',
    deleteInstead: '{countdown}, facturée tant qu’elle n’est pas supprimée',
    job: '{name} sur {machine}',
    actions: 'Actions',
    show: 'Afficher dans Wheelhouse',
    stop: 'Arrêter…',
    forward: '{service} de {machine} à l’adresse {address}',
    signedOut: 'Session fermée. Se connecter…',
    noMachines: 'Aucune machine',
    more: '{count} de plus…',
    open: 'Ouvrir Wheelhouse',
    quit: 'Quitter',
  },
  stays: {
    title: 'Wheelhouse reste en marche',
    text: 'Il est dans la zone de notification. Ouvrez-le ou quittez-le de là.',
  },
  unwatched: {
    title: 'Quitter et ne plus surveiller vos limites ?',
    text: 'Ce bureau n’affiche pas d’icône dans la zone de notification : Wheelhouse ne peut vérifier vos limites et vos rappels que si sa fenêtre est ouverte.',
    quit: 'Quitter',
    minimize: 'Réduire plutôt',
  },
  secretKept: {
    title: 'Un secret est encore dans le presse-papiers',
    text: 'Ouvrez Wheelhouse pour l’effacer.',
  },
  fieldMenu: {
    undo: 'Annuler',
    redo: 'Rétablir',
    cut: 'Couper',
    copy: 'Copier',
    paste: 'Coller',
    selectAll: 'Tout sélectionner',
  },
  menu: {
    settings: 'Réglages…',
    view: 'Affichage',
    help: 'Aide',
    guide: 'Guide d’utilisation',
  },
  chooseIdentity: { title: 'Choisir une clé privée', button: 'Utiliser cette clé' },
  chooseAuthorities: {
    title: 'Choisir un fichier d’autorités de certification',
    button: 'Approuver',
  },
  chooseTemplate: { title: 'Choisir un modèle exporté', button: 'Importer' },
  chooseTarget: { title: 'Enregistrer sous' },
  chooseFolder: { title: 'Choisir un dossier pour les fichiers', button: 'Télécharger ici' },
  chooseUploads: {
    files: 'Choisir les fichiers à envoyer',
    folder: 'Choisir les dossiers à envoyer',
    button: 'Envoyer',
  },
  settingsNotice: {
    title: 'Impossible de lire vos réglages',
    damaged:
      'Le fichier est endommagé ({reason}) : les réglages ont été réinitialisés. L’ancien fichier est enregistré sous {file} : voyez les réglages.',
    partial:
      'Certains réglages sont endommagés ou viennent d’une autre version ({reason}). Ils restent dans le fichier, et les autres fonctionnent. Mettez Wheelhouse à jour, ou modifiez le fichier.',
    unreadable:
      'Erreur système : {reason}. Votre fichier de réglages ne sera pas modifié tant que ce problème persiste.',
  },
  startFailed: { title: 'Wheelhouse n’a pas pu démarrer' },
  keepsCrashing: {
    title: 'Cette fenêtre plante à répétition',
    text: 'Vos machines restent en marche. Rouvrez la fenêtre, ou quittez et redémarrez Wheelhouse.',
    again: 'Rouvrir',
    quit: 'Quitter',
  },
  noSandbox: {
    title: 'Wheelhouse ne peut pas fonctionner ici en sécurité',
    text: 'Ce système ne permet pas à une AppImage d’isoler sa fenêtre (sandbox de Chromium). Installez le paquet deb ou rpm, ou autorisez les espaces de noms utilisateur (user namespaces).',
  },
  readOnly: {
    title: 'Wheelhouse ne peut pas écrire dans son dossier',
    text: 'Rien ne peut être enregistré dans {folder}. Autorisez l’écriture dans ce dossier, ou retirez la protection en écriture du disque, puis relancez Wheelhouse.',
  },
  quitWithWork: {
    title: 'Quitter et arrêter {count} élément en cours ? | Quitter et arrêter {count} éléments en cours ?',
    upload: 'Transfert : {name} vers {machine}',
    download: 'Transfert : {name} depuis {machine}',
    terminal: 'Terminal : {machine}',
    forward: 'Port redirigé : {port} de {machine}',
    more: 'et {count} de plus',
    transfersText: 'Les copies partielles seront supprimées.',
    terminalsText:
      'Les sessions se terminent, avec leurs programmes au premier plan. Les sessions persistantes continuent.',
    forwardsText: 'Les programmes qui utilisent un port redirigé perdent leur connexion.',
    quit: 'Quitter et arrêter',
    keep: 'Laisser continuer',
  },
  sshFailed: { title: 'Connexion à {machine} impossible' },
}
