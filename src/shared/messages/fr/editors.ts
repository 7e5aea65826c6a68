import type { Translation } from '../translation'
import type { editors as english } from '../en/editors'

export const editors: Translation<typeof english> = {
  attempt: 'Ouverture d’un éditeur',
  openIn: 'Ouvrir dans {editor}',
  title: 'Ouvrir {machine} dans {editor}',
  action: 'Ouvrir',
  folder: 'Dossier sur la machine',
  folderFormat: 'Saisissez un chemin qui commence par / et ne contient pas de dossier « . » ou « .. ».',
  folderHint: 'Laissez vide pour votre dossier personnel sur la machine.',
  trust:
    'L’éditeur installe son propre serveur sur la machine et se connecte en tant que {alias}. Il lui fait confiance : du code sur la machine peut utiliser ce que vous donnez à l’éditeur, comme les ports redirigés et les identifiants Git.',
  needsAlias:
    'Les éditeurs accèdent à une machine par son alias SSH, et celle-ci n’en a pas. Activez les alias dans les réglages, puis réessayez.',
  opened: 'Ouverture de {machine} dans {editor}',
}
