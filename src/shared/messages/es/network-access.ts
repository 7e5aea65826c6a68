import type { Translation } from '../translation'
import type { networkAccess as english } from '../en/network-access'

export const networkAccess: Translation<typeof english> = {
  title: 'Red',
  dialog: 'Configuración de red',
  open: 'Configuración de red…',
  text: 'Cómo accede Wheelhouse a tus servicios. Los servicios de este equipo nunca pasan por un proxy.',
  proxy: {
    label: 'Proxy',
    system: 'Configuración del sistema',
    environment: 'Entorno ({proxy})',
    malformed:
      '{variable} no es una dirección de proxy válida (como http://proxy.example.com:8080), así que no se usa.',
    manual: 'Manual',
    pac: 'Archivo PAC',
    none: 'Sin proxy',
    address: 'Dirección del proxy',
    addressHint: 'host:puerto, como proxy.example.com:8080',
    pacAddress: 'Dirección del archivo PAC',
    pacHint: 'Una dirección web o una ruta en este equipo',
    saved: 'Proxy guardado',
  },
  authorities: {
    label: 'Autoridades de certificación',
    none: 'Certificados del sistema',
    added: 'También de confianza: {names}',
    add: 'Agregar un archivo…',
    remove: 'Quitar',
  },
  signIns: {
    label: 'Inicio de sesión en {proxy}',
    signedOut: 'Sesión no iniciada',
    signOut: 'Olvidar',
    signIn: 'Iniciar sesión…',
  },
  question: {
    title: 'Iniciar sesión en el proxy {proxy}',
    text: 'Tu red lo exige para que puedas acceder a tus servicios.',
    realm: 'Se identifica como “{realm}”.',
    refused: 'El proxy rechazó estas credenciales.',
    username: 'Usuario',
    password: 'Contraseña',
    show: 'Mostrar contraseña',
    hide: 'Ocultar contraseña',
    remember: 'Guardar en el llavero',
    action: 'Iniciar sesión',
  },
}
