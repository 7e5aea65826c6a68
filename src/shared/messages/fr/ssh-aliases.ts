import type { Translation } from '../translation'
import type { sshAliases as english } from '../en/ssh-aliases'

export const sshAliases: Translation<typeof english> = {
  title: 'Alias SSH',
  text: 'Accédez aux machines par leur nom depuis tous les outils SSH de cet ordinateur : ssh, scp, rsync, git et éditeurs.',
  switch: 'Ajouter un alias pour chaque machine',
  consent:
    'Ajoute une ligne à votre configuration SSH et conserve une copie de l’ancienne. Les noms, noms d’utilisateur et adresses des machines sont enregistrés en clair dans un second fichier.',
  config: 'Votre configuration SSH',
  line: 'Première ligne de votre configuration SSH',
  file: 'Fichier des alias',
  preview: 'Aperçu',
  showInFolder: 'Afficher dans le dossier',
  on: '{count} alias actif | {count} alias actifs',
  off: '{count} alias à ajouter | {count} alias à ajouter',
  notIncluded:
    'La ligne n’est plus dans votre configuration SSH : les alias ne fonctionnent pas. Désactivez puis réactivez ce réglage pour la rajouter.',
  leftOut: '{count} machine sans alias | {count} machines sans alias',
  reasons: {
    name: 'Son nom ne peut contenir que des lettres, chiffres, tirets et traits de soulignement, dont au moins une lettre.',
    'no-address': 'Elle n’a pas encore d’adresse.',
    'user-refused':
      'ssh, ou son hôte de rebond, n’accepte pas son nom d’utilisateur. Indiquez-en un autre dans l’onglet Connexion.',
    'no-user': 'Son nom d’utilisateur est inconnu. Indiquez-le dans l’onglet Connexion.',
    'in-use':
      'Votre configuration SSH, ou celle de cet ordinateur, a déjà un hôte de ce nom ou un motif qui y correspond.',
    'known-host':
      'Vous vous êtes déjà connecté à un autre hôte de ce nom : il est dans known_hosts. Pour le retirer, exécutez « ssh-keygen -R » suivi de ce nom.',
    'this-computer': 'Cet ordinateur porte ce nom, ou son fichier hosts contient un hôte de ce nom.',
    'identity-file': 'ssh ne peut pas lire le nom de son fichier d’identité.',
  },
  command: 'Alias SSH',
  none: 'Pas d’alias SSH : {reason}',
  hint: 'Accédez-y par son nom depuis tout outil SSH :',
  settings: 'Configurer les alias SSH',
  unreadable: '« {file} » n’est pas une configuration SSH lisible. Le fichier n’a pas été modifié.',
  refused: 'ssh ne peut pas lire « {file} », qui n’a donc pas été modifié : {reason}',
  readOnly: '« {file} » est en lecture seule. Autorisez l’écriture, ou laissez les alias désactivés.',
  permissions:
    'ssh refuse « {file} » : d’autres utilisateurs pourraient le modifier. Exécutez « {command} » dans un terminal, puis réessayez.',
  otherFile: 'Wheelhouse n’a pas créé « {file} ». Déplacez ce fichier, puis réessayez.',
}
