import type { Translation } from '../translation'
import type { secrets as english } from '../en/secrets'

export const secrets: Translation<typeof english> = {
  title: 'Afficher le mot de passe de {machine} dans un terminal ?',
  notice: 'Une commande de Wheelhouse le demande. Répondez dans Wheelhouse dans les deux minutes.',
  text: 'La commande wheelhouse show --show-secret a été lancée sur cet ordinateur. Elle affiche le mot de passe ; tout programme qui lit sa sortie le voit.',
  machine: 'Machine',
  account: 'Compte',
  allow: 'Afficher le mot de passe',
  deny: 'Refuser',
}
