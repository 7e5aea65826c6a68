/** The used part of keytar. Declared here because the package is optional. */
declare module 'keytar' {
  const keytar: {
    getPassword(service: string, account: string): Promise<string | null>
    setPassword(service: string, account: string, password: string): Promise<void>
    deletePassword(service: string, account: string): Promise<boolean>
  }
  export default keytar
}
