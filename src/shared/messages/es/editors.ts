import type { Translation } from '../translation'
import type { editors as english } from '../en/editors'

export const editors: Translation<typeof english> = {
  attempt: 'Apertura de un editor',
  openIn: 'Abrir en {editor}',
  title: 'Abrir {machine} en {editor}',
  action: 'Abrir',
  folder: 'Carpeta en la máquina',
  folderFormat: 'Escribe una ruta que empiece por / y no contenga carpetas “.” ni “..”.',
  folderHint: 'Déjala vacía para usar tu carpeta personal allí.',
  trust:
    'El editor instala su propio servidor en la máquina y se conecta como {alias}. Considera que la máquina es de confianza: el código que hay allí puede usar lo que des al editor, como puertos reenviados e inicios de sesión de Git.',
  needsAlias:
    'Los editores acceden a una máquina por su alias SSH, y esta no tiene ninguno. Activa los alias en Configuración y vuelve a intentarlo.',
  opened: 'Abriendo {machine} en {editor}',
}
