import type { Translation } from '../translation'
import type { sshKeys as english } from '../en/ssh-keys'

export const sshKeys: Translation<typeof english> = {
  attempt: 'Uso de las claves SSH',
  title: 'Claves SSH',
  text: 'Claves de este equipo que pueden abrir máquinas. Tras el primer acceso, solo se prueba la clave que funcionó.',
  loading: 'Cargando claves SSH…',
  none: 'Aún no hay claves SSH. Genera una o pon una en {folder}.',
  cut: 'Solo se muestran los primeros 500 archivos de {folder}.',
  noAgent: 'No hay ningún agente SSH en ejecución.',
  unnamed: 'Sin comentario',
  agentOnly: 'Solo en el agente SSH',
  noFingerprint: 'Huella digital desconocida: tiene frase de contraseña y no hay archivo de clave pública',
  encrypted: 'Con frase de contraseña',
  unencrypted: 'Sin frase de contraseña',
  hardware: 'Llave de seguridad',
  inAgent: 'En el agente',
  publicKey: 'Clave pública de {name}',
  opens: 'Abrió {machines}',
  andMore: '{machines} y {count} más',
  generate: 'Generar una clave…',
  comment: 'Comentario',
  commentHint: 'Se agrega al final de la clave pública para que puedas reconocerla.',
  passphrase: 'Frase de contraseña (opcional)',
  passphraseHint: 'Protege la clave si alguien copia el archivo. Al menos 5 caracteres.',
  showPassphrase: 'Mostrar frase de contraseña',
  hidePassphrase: 'Ocultar frase de contraseña',
  noPassphrase:
    'Para definir una frase de contraseña con el OpenSSH de este equipo, ejecuta ssh-keygen en una terminal.',
  generated: 'Clave generada',
}
