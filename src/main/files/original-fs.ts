import * as nodeFs from 'node:fs'

type Fs = typeof nodeFs
const isFs = (found: object | undefined): found is Fs => found !== undefined && 'promises' in found

const electronFs = process.getBuiltinModule('original-fs')

/**
 * Node's file system as it is. In Electron's own a file called `x.asar` is a folder, or does not open: the person's files
 * may be called so.
 */
export const plainFs: Fs = isFs(electronFs) ? electronFs : nodeFs
