import type { Translation } from '../translation'
import type { sshKeys as english } from '../en/ssh-keys'

export const sshKeys: Translation<typeof english> = {
  attempt: 'Utilisation des clés SSH',
  title: 'Clés SSH',
  text: 'Clés de cet ordinateur qui peuvent ouvrir des machines. Après un premier succès, seule cette clé est essayée.',
  loading: 'Chargement des clés SSH…',
  none: 'Pas encore de clé SSH. Générez-en une, ou placez-en une dans {folder}.',
  cut: 'Seuls les 500 premiers fichiers de {folder} sont affichés.',
  noAgent: 'Aucun agent SSH n’est en marche.',
  unnamed: 'Sans commentaire',
  agentOnly: 'Uniquement dans l’agent SSH',
  noFingerprint: 'Empreinte inconnue : phrase secrète et pas de fichier public',
  encrypted: 'Phrase secrète',
  unencrypted: 'Sans phrase secrète',
  hardware: 'Clé de sécurité',
  inAgent: 'Dans l’agent',
  publicKey: 'Clé publique de {name}',
  opens: 'A ouvert {machines}',
  andMore: '{machines} et {count} de plus',
  generate: 'Générer une clé…',
  comment: 'Commentaire',
  commentHint: 'Ajouté à la fin de la clé publique pour vous aider à la reconnaître.',
  passphrase: 'Phrase secrète (facultative)',
  passphraseHint: 'Protège la clé si quelqu’un copie le fichier. Au moins 5 caractères.',
  showPassphrase: 'Afficher la phrase secrète',
  hidePassphrase: 'Masquer la phrase secrète',
  noPassphrase:
    'Pour définir une phrase secrète avec l’OpenSSH de cet ordinateur, exécutez ssh-keygen dans un terminal.',
  generated: 'Clé générée',
}
