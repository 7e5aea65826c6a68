/** Name of a file in the user data: the address of the running application, for the command line. */
export const commandAddressFile = 'command-line.json'
