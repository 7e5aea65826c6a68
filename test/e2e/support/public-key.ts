const sshString = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A well-formed ed25519 public key without a private half. */
export const publicKey = `ssh-ed25519 ${Buffer.concat([
  sshString(Buffer.from('ssh-ed25519')),
  sshString(Buffer.alloc(32, 7)),
]).toString('base64')} test`
