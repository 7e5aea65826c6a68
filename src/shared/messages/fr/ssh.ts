import type { Translation } from '../translation'
import type { ssh as english } from '../en/ssh'

export const ssh: Translation<typeof english> = {
  connect: 'Se connecter',
  connectIn: 'dans {terminal}',
  opened: 'Ouverture de {machine} dans {terminal}',
  missing:
    '{missing} n’est pas installé : {terminal} a été ouvert à la place. Installez-le, ou choisissez un autre terminal dans les réglages.',
  failed:
    'Impossible d’ouvrir {failed}. La session s’est ouverte ici. Choisissez un autre terminal dans les réglages.',
  placeRefused: 'Ce terminal ne peut pas ouvrir « {place} ». Choisissez un autre terminal dans les réglages.',
  noClient: 'OpenSSH (ssh) n’est pas installé sur cet ordinateur.',
  unreachable: '{machine} : {reason}',
  disabledReason: {
    stopped: 'Arrêtée. Démarrez-la pour vous connecter.',
    moving: 'Pas prête. Connexion possible dès qu’elle sera en marche.',
    'no-address': 'En attente d’une adresse…',
    gone: 'Cette machine n’existe plus.',
  },
  notBegun: {
    restricted: {
      title: 'Shell de connexion restreint',
      text: 'Le shell de l’utilisateur sur la machine n’exécute que certains programmes : {said}',
      next: 'Indiquez un autre utilisateur dans l’onglet Connexion, ou donnez à celui-ci un shell complet.',
    },
    'no-shell': {
      title: 'Non pris en charge sur cette machine',
      text: 'Elle n’a pas de shell POSIX (elle utilise peut-être Windows) : {said}',
      next: 'Vous pouvez quand même ouvrir un terminal et copier des fichiers.',
    },
    refused: {
      title: 'La machine n’exécute pas de commandes pour cet utilisateur',
      text: 'Elle a affiché : {said}',
      next: 'Vérifiez le shell de connexion de l’utilisateur, et les commandes forcées dans authorized_keys et sshd_config.',
    },
    silent: {
      title: 'La machine n’exécute pas de commandes pour cet utilisateur',
      text: 'Elle n’a rien affiché. Un fichier de démarrage lance peut-être un autre shell, par exemple exec fish dans ~/.bashrc.',
      next: 'Faites en sorte que les fichiers de démarrage ne le fassent que dans les terminaux. Sinon, vérifiez le shell de connexion de l’utilisateur, et les commandes forcées dans authorized_keys et sshd_config.',
    },
    short: '{title} : {said}',
    shortSilent: '{title}. {text}',
  },
  slowLogin: {
    title: 'L’authentification sur la machine est lente',
    text: 'Les fichiers de démarrage du shell de connexion n’ont pas terminé en {seconds} s.',
    next: 'Cherchez des commandes lentes dans ~/.bashrc ou ~/.profile. Wheelhouse réessaiera plus tard.',
  },
  refusedForAWhile: {
    title: 'Le serveur bloque temporairement cet ordinateur',
    text: 'Les serveurs SSH le font après des authentifications échouées ou trop nombreuses. Nouvel essai dans {duration}.',
  },
  banner: {
    title: 'En attente de l’accord de la machine',
    text: 'Elle a envoyé un message. Vous devez peut-être agir d’abord.',
    label: 'Message de la machine',
  },
  loginOutput: 'Sortie de la connexion',
  anyway: 'Ouvrir quand même le terminal',
  command: {
    copy: 'Copier la commande SSH',
    unknown: 'Disponible une fois l’utilisateur et l’adresse connus.',
  },
  reveal: 'Révéler',
  revealNamed: 'Révéler : {what}',
  hideNamed: 'Masquer : {what}',
  masked: 'masqué',
  edit: 'Modifier : {what}',
  save: 'Enregistrer : {what}',
  cancelEdit: 'Annuler la modification : {what}',
  reset: 'Réinitialiser : {what}',
  set: 'défini ici',
  port: { range: 'Saisissez un port de 1 à 65535.' },
  identity: {
    automatic: 'Automatique',
    choose: 'Choisir un fichier…',
    change: 'Choisir un fichier d’identité',
    found: 'Dans ~/.ssh',
  },
  forwardAgent: {
    default: 'Désactivé',
    defaultOn: 'Activé pour ce compte',
    on: 'Activé',
    off: 'Désactivé pour cette machine',
    warning:
      'Pendant votre connexion, toute personne ayant un accès root sur la machine peut utiliser les clés de votre agent pour se connecter ailleurs.',
  },
  hostKey: {
    known: 'approuvée',
    unknown: 'pas encore confirmée',
    unknownHint: 'Enregistrée à votre première connexion.',
    title: 'Clés d’hôte',
    text: 'Une clé d’hôte prouve qu’une machine est bien celle à laquelle vous vous êtes déjà connecté. Si elle change, Wheelhouse refuse de se connecter.',
    confirm: 'Demander avant la première connexion à une machine',
    confirmText:
      'Wheelhouse affiche alors l’empreinte de sa clé d’hôte, et ne se connecte qu’une fois que vous avez approuvé la clé. Sinon, la première clé est approuvée et enregistrée. Les alias SSH demandent dans le terminal.',
  },
  changed: {
    title: 'La clé d’hôte de {machine} a changé',
    text: '{host} présente maintenant une autre clé que lors de votre première connexion. Wheelhouse ne s’est pas connecté.',
    harmless: 'C’est normal si la machine a été reconstruite ou si son adresse a été réattribuée.',
    harmful:
      'Sinon, quelqu’un intercepte peut-être la connexion. Interrogez l’exploitant de la machine avant de continuer.',
    known: 'Approuvée',
    offered: 'Présentée maintenant',
    expected: 'Je sais pourquoi la clé a changé',
    action: 'Oublier l’ancienne clé',
    done: 'Ancienne clé oubliée. La prochaine connexion enregistrera la nouvelle.',
  },
}
