import type { Translation } from '../translation'
import type { askpass as english, secrets as englishSecrets } from '../en/askpass'

export const askpass: Translation<typeof english> = {
  notice: {
    title: 'La connexion à {machine} attend votre réponse',
    body: 'Ouvrez Wheelhouse pour répondre.',
  },
  title: 'Connexion à {machine}',
  password: 'Mot de passe de {subject}',
  passphrase: 'Phrase secrète de {subject}',
  firstContact:
    'C’est votre première connexion à cette machine. Avant l’envoi de son mot de passe, comparez sa clé d’hôte à celle que montre son exploitant :',
  hostKey:
    'C’est votre première connexion à cette machine. Avant de saisir un mot de passe ou un code, comparez sa clé d’hôte à celle que montre son exploitant :',
  newHost: {
    title: 'Première connexion à {machine}',
    text: 'Comparez sa clé d’hôte à celle que montre son exploitant. Wheelhouse ne se connecte qu’une fois que vous avez approuvé la clé.',
    address: 'Adresse',
    type: 'Type de clé',
    fingerprint: 'Empreinte',
  },
  touch: {
    title: 'Touchez votre clé de sécurité pour vous connecter à {machine}',
    body: 'Wheelhouse se connecte dès que vous la touchez.',
  },
  fromOther:
    'L’hôte de rebond {from} attend une réponse pour atteindre {machine}. Ce texte vient peut-être de lui :',
  other: 'SSH attend une réponse. Ce texte vient peut-être de la machine :',
  again: 'Réponse refusée. Réessayez.',
  answer: { password: 'Mot de passe', passphrase: 'Phrase secrète', other: 'Réponse' },
  show: 'Afficher la saisie',
  hide: 'Masquer la saisie',
  action: 'Continuer',
  send: 'Envoyer le mot de passe',
  trust: 'Approuver cette clé',
  invalid: 'Saisissez une seule ligne de 1 000 caractères au plus.',
  keep: {
    label: 'Mémoriser',
    no: 'Non',
    session: 'Jusqu’à ce que je quitte',
    keychain: 'Dans le trousseau',
  },
  state: {
    label: 'Phrases secrètes et mots de passe',
    window: 'Demandés dans Wheelhouse ({version})',
    own: 'Demandés par le programme indiqué dans SSH_ASKPASS',
    terminal:
      'Demandés dans le terminal ({version}). Pour les demander dans Wheelhouse, il faut OpenSSH 8.5 ou plus récent.',
    windows: 'Demandés dans le terminal',
  },
  kept: '{count} phrase secrète mémorisée | {count} phrases secrètes mémorisées',
  forget: 'Oublier',
  forgotten: 'Phrases secrètes oubliées',
}

export const secrets: Translation<typeof englishSecrets> = {
  title: 'Afficher le mot de passe de {machine} dans un terminal ?',
  notice: 'Une commande de Wheelhouse le demande. Répondez dans Wheelhouse dans les deux minutes.',
  text: 'La commande wheelhouse show --show-secret a été lancée sur cet ordinateur. Elle affiche le mot de passe ; tout programme qui lit sa sortie le voit.',
  machine: 'Machine',
  account: 'Compte',
  allow: 'Afficher le mot de passe',
  deny: 'Refuser',
}
