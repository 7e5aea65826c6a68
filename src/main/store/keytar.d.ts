/** The part of keytar that the keychain uses. Declared here because the package is optional and may be absent. */
declare module 'keytar' {
  const keytar: {
    getPassword(service: string, account: string): Promise<string | null>
    setPassword(service: string, account: string, password: string): Promise<void>
    deletePassword(service: string, account: string): Promise<boolean>
  }
  export default keytar
}
