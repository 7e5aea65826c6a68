import type { Translation } from '../translation'
import type { lastLook as english } from '../en/last-look'

export const lastLook: Translation<typeof english> = {
  attempt: 'Examen de la machine',
  title: { stop: 'Ce qu’un arrêt interromprait', delete: 'Ce qui serait perdu' },
  looking: 'Examen de {machine}…',
  again: 'Réexaminer',
  terminal: 'Ouvrir un terminal',
  download: 'Télécharger',
  downloadNamed: 'Télécharger {name}',
  downloading: 'Téléchargement de {name}',
  terminalFor: 'Ouvrir un terminal pour {name}',
  push: {
    title: 'Push de {path}',
    open: 'Push de {name}…',
    reading: 'Lecture des branches et des dépôts distants…',
    branch: 'Branche',
    commits: '{branch} : {count} commit non poussé | {branch} : {count} commits non poussés',
    to: 'Vers {branch} sur {remote} : {url}',
    command: 'Commande de push',
    text: 'S’exécute une fois sur {machine} comme tâche, sans forcer et sans demander de mot de passe. L’examen est ensuite relancé ici même. Le push autorise Wheelhouse à suivre les tâches de cette machine par SSH.',
    action: 'Pousser',
    none: 'Aucune branche avec des commits non poussés n’a de dépôt distant. Ouvrez un terminal pour en ajouter un.',
    unread: 'Les branches n’ont pas pu être lues : {reason}',
  },
  nothing: {
    stop: 'Aucun programme sur les GPU, aucune session tmux ou screen.',
    delete:
      'Aucun travail Git non enregistré, aucun programme sur les GPU, aucune session, aucun gros fichier récent. Les autres fichiers n’ont pas été vérifiés.',
  },
  nothingFound: 'Rien trouvé dans la partie qui a pu être lue.',
  clean:
    '{count} autre dépôt n’a pas de travail non enregistré. | {count} autres dépôts n’ont pas de travail non enregistré.',
  failed: 'Examen de {machine} impossible : {reason}',
  unsafe: 'Ce qui serait perdu est inconnu.',
  consent: {
    text: {
      stop: 'Wheelhouse peut d’abord chercher en SSH les programmes et les sessions en cours. Il ne modifie rien sur la machine.',
      delete:
        'Wheelhouse peut d’abord chercher en SSH du travail Git, des programmes en cours, des sessions et de gros fichiers récents. Il lit les dépôts du dossier personnel et des volumes, 10 secondes au plus, et ne modifie rien.',
    },
    everywhere: 'Autoriser sur toutes les machines',
    here: 'Seulement sur cette machine | Seulement sur ces machines',
  },
  repository: {
    changes: '{count} modification sans commit | {count} modifications sans commit',
    unpushed: '{count} commit non poussé | {count} commits non poussés',
    tagged: '{count} commit uniquement sur des tags | {count} commits uniquement sur des tags',
    stashes: '{count} stash | {count} stash',
    unread: 'illisible : {reason}',
  },
  groups: {
    repositories: 'Git',
    programs: 'Sur les GPU',
    sessions: 'Sessions',
    files: 'Gros fichiers du dernier jour | Gros fichiers des {count} derniers jours',
    gaps: 'Non lu',
  },
  process: 'Processus {pid}',
  processes: '{count} processus',
  file: '{size}, écrit le {time}',
  mount: 'sur {mount}, peut-être un volume attaché',
  more: 'et {count} de plus',
  parts: {
    git: 'Git',
    files: 'Fichiers',
    gpus: 'GPU',
    tmux: 'tmux',
    screen: 'screen',
    answer: 'Réponse de la machine',
  },
  problems: {
    'out-of-time': 'le temps a manqué',
    'not-installed': 'le programme n’est pas installé',
    'not-searched': 'non examiné : {path}',
    'too-many': 'il y a trop d’éléments à lister',
    'too-long': 'la réponse est trop longue',
    'odd-name': 'un nom n’a pas pu être lu',
    'cut-off': 'la réponse est incomplète',
  },
}
