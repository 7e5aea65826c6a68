import type { Translation } from '../translation'
import type { sshAliases as english } from '../en/ssh-aliases'

export const sshAliases: Translation<typeof english> = {
  title: 'Alias SSH',
  text: 'Accede a las máquinas por su nombre desde cualquier herramienta de este equipo que use SSH: ssh, scp, rsync, git y editores.',
  switch: 'Agregar un alias para cada máquina',
  consent:
    'Agrega una línea a tu configuración de SSH y guarda una copia de la anterior. Los nombres, usuarios y direcciones de las máquinas se guardan sin cifrar en un segundo archivo.',
  config: 'Tu configuración de SSH',
  line: 'Primera línea de tu configuración de SSH',
  file: 'Archivo con los alias',
  preview: 'Vista previa',
  showInFolder: 'Mostrar en la carpeta',
  on: '{count} alias en uso | {count} alias en uso',
  off: '{count} alias por agregar | {count} alias por agregar',
  notIncluded:
    'La línea ya no está en tu configuración de SSH, así que los alias no funcionan. Desactiva y vuelve a activar esta opción para agregarla.',
  leftOut: '{count} máquina sin alias | {count} máquinas sin alias',
  reasons: {
    name: 'Su nombre solo puede usar letras, dígitos, guiones y guiones bajos, y necesita al menos una letra.',
    'no-address': 'Aún no tiene dirección.',
    'user-refused':
      'ssh, o su host de salto, no acepta su nombre de usuario. Define otro en la pestaña Conexión.',
    'no-user': 'Su nombre de usuario es desconocido. Defínelo en la pestaña Conexión.',
    'in-use':
      'Tu configuración de SSH, o la de este equipo, ya tiene un host con este nombre o un patrón que coincide con él.',
    'known-host':
      'Ya te conectaste a otro host con este nombre: está en known_hosts. Para quitarlo, ejecuta “ssh-keygen -R” con este nombre.',
    'this-computer': 'Este equipo tiene este nombre, o su archivo hosts tiene un host con este nombre.',
    'identity-file': 'ssh no puede leer el nombre de su archivo de identidad.',
  },
  command: 'Alias SSH',
  none: 'Sin alias SSH: {reason}',
  hint: 'Accede por su nombre desde cualquier herramienta SSH:',
  settings: 'Configurar alias SSH',
  unreadable: '“{file}” no es una configuración de SSH legible. No se cambió.',
  refused: 'ssh no puede leer “{file}”, así que no se cambió: {reason}',
  readOnly: '“{file}” es de solo lectura. Permite la escritura o deja los alias desactivados.',
  permissions:
    'ssh rechaza “{file}”: otros usuarios podrían cambiarlo. Ejecuta “{command}” en una terminal y vuelve a intentarlo.',
  otherFile: 'Wheelhouse no creó “{file}”. Muévelo y vuelve a intentarlo.',
}
