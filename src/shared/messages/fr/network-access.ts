import type { Translation } from '../translation'
import type { networkAccess as english } from '../en/network-access'

export const networkAccess: Translation<typeof english> = {
  title: 'Réseau',
  dialog: 'Réglages réseau',
  open: 'Réglages réseau…',
  text: 'Comment Wheelhouse accède à vos services. Les services de cet ordinateur ne passent jamais par un proxy.',
  proxy: {
    label: 'Proxy',
    system: 'Réglages du système',
    environment: 'Environnement ({proxy})',
    malformed:
      '{variable} n’est pas une adresse de proxy valide (comme http://proxy.example.com:8080) : elle n’est pas utilisée.',
    manual: 'Manuel',
    pac: 'Fichier PAC',
    none: 'Aucun proxy',
    address: 'Adresse du proxy',
    addressHint: 'hôte:port, comme proxy.example.com:8080',
    pacAddress: 'Adresse du fichier PAC',
    pacHint: 'Une adresse web, ou un chemin sur cet ordinateur',
    saved: 'Proxy enregistré',
  },
  authorities: {
    label: 'Autorités de certification',
    none: 'Certificats du système',
    added: 'Approuvées aussi : {names}',
    add: 'Ajouter un fichier…',
    remove: 'Retirer',
  },
  signIns: {
    label: 'Connexion à {proxy}',
    signedOut: 'Session fermée',
    signOut: 'Oublier',
    signIn: 'Se connecter…',
  },
  question: {
    title: 'Se connecter au proxy {proxy}',
    text: 'Votre réseau l’exige avant l’accès à vos services.',
    realm: 'Il se présente comme « {realm} ».',
    refused: 'Le proxy a refusé ces identifiants.',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    show: 'Afficher le mot de passe',
    hide: 'Masquer le mot de passe',
    remember: 'Enregistrer dans le trousseau',
    action: 'Se connecter',
  },
}
