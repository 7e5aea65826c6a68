import type { Translation } from '../translation'
import type { tunnels as english } from '../en/tunnels'

export const tunnels: Translation<typeof english> = {
  tab: 'Services',
  looking: 'Recherche de services…',
  listening: 'À l’écoute sur la machine',
  more: 'Seuls les {count} premiers sont affichés.',
  other: 'Autre programme',
  port: 'Port {port}',
  empty: {
    title: 'Aucun service trouvé',
    text: 'Seul SSH est à l’écoute sur cette machine. Les programmes apparaissent ici dès leur démarrage.',
  },
  notUnderstood: {
    title: 'Impossible de lister les services',
    text: 'La machine n’a pas ss, et /proc/net/tcp est illisible.',
    next: 'Vous pouvez quand même rediriger un port par son numéro.',
  },
  noAnswer: {
    title: 'La machine n’a pas répondu',
    text: 'Aucune liste de services en {seconds} s.',
    next: 'Wheelhouse continue d’essayer tant que cet onglet est ouvert.',
  },
  notRunning: {
    title: 'La machine n’est pas en marche',
    text: 'Les services apparaissent une fois la machine en marche.',
  },
  hostKey: {
    title: 'Clé d’hôte non confirmée',
    text: 'La clé d’hôte de la machine n’est pas confirmée : Wheelhouse ne s’est pas connecté.',
    next: 'Réessayez et confirmez la clé, ou connectez-vous d’abord dans un terminal.',
  },
  waiting: 'Connexion perdue. Prochaine tentative dans {duration}.',
  forward: 'Rediriger',
  forwardPort: 'Rediriger un port',
  portLabel: 'Port sur la machine',
  forwardText:
    'Ouvre ici le port {port} de la machine, à l’adresse 127.0.0.1:{port}. Si ce port est pris, le suivant libre est utilisé.',
  open: 'Ouvrir',
  openNamed: 'Ouvrir {service} dans le navigateur',
  stop: 'Arrêter',
  stopNamed: 'Arrêter la redirection de {service}',
  opened: 'Ouverture de {service} dans votre navigateur',
  forwarded: '{service} est à l’adresse {address}',
  forwards: {
    title: 'Ports redirigés',
    text: 'Seul cet ordinateur peut les utiliser. Ils se ferment quand vous quittez ou vous déconnectez. Une redirection arrêtée le reste.',
  },
  save: 'Rouvrir à chaque démarrage',
  connect: 'Se connecter',
  moved: 'Le port {port} n’est pas libre sur cet ordinateur.',
  state: {
    connecting: 'Connexion…',
    unanswered: 'Rien ne répond sur le port {port} de la machine.',
    prohibited:
      'Le serveur SSH n’autorise pas la redirection vers ce port (AllowTcpForwarding et PermitOpen).',
    'not-running': 'En attente du démarrage de la machine.',
    unasked: 'Authentification impossible sans vous solliciter. Choisissez « Se connecter » pour continuer.',
    'host-key-unknown': 'Clé d’hôte non confirmée. Connectez-vous d’abord dans un terminal.',
  },
  tooMany: '{count} ports sont redirigés. Arrêtez-en un d’abord.',
  noBrowser: 'Aucun navigateur n’a pu être ouvert.',
  address: 'Adresse',
}
