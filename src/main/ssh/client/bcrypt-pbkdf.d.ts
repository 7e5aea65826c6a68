/** Types for bcrypt-pbkdf, which has none. */
declare module 'bcrypt-pbkdf' {
  const bcrypt: {
    /** Bytes of a hash. */
    readonly HASHSIZE: number
    /** One round; `password` and `salt` are SHA-512 digests. */
    hash(password: Uint8Array, salt: Uint8Array, output: Uint8Array): void
  }
  export default bcrypt
}
