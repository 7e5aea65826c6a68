/** Returns the form of a text in which searches compare: composed Unicode (a decomposed "é" is found too), lower case. */
export const searchText = (text: string): string => text.normalize('NFC').toLowerCase()
