import { z } from 'zod'
import * as shared from '#shared/service/ssh-key'
import { nameOf } from './common'

const keyTypes =
  'ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\\.com'
const form = `^\\s*(${keyTypes})[ \\t]+([A-Za-z0-9+/]+={0,2})([ \\t]+[^\\n]*)?\\s*$`
const lengthBytes = 4

/** Whether `text` is a public key in OpenSSH's format: type, base64 and an optional comment. */
function isPublicKey(text: string): boolean {
  const [, type = '', base64 = ''] = new RegExp(form).exec(text) ?? []
  const blob = Buffer.from(base64, 'base64')
  // RFC 4253 §6.6: the blob begins with the type again, as a string with its length.
  return (
    type !== '' &&
    blob.length > lengthBytes + type.length &&
    blob.readUInt32BE(0) === type.length &&
    blob.subarray(lengthBytes, lengthBytes + type.length).toString('latin1') === type
  )
}

export const NewSshKey = shared.NewSshKey.extend({
  name: nameOf(),
  public_key: z
    .string()
    .min(1)
    .refine(isPublicKey, 'must be an SSH public key, such as "ssh-ed25519 AAAA… name"')
    .meta({ pattern: form, description: 'one public key in OpenSSH format' }),
}).meta({
  id: 'NewSshKey',
  examples: [
    {
      name: 'laptop',
      public_key:
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop',
    },
  ],
})
