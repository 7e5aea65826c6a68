import * as nodeFs from 'node:fs'

type Fs = typeof nodeFs
const isFs = (module: object | undefined): module is Fs => module !== undefined && 'promises' in module

const electronFs = process.getBuiltinModule('original-fs')

/** Node's original file system. Electron's own treats `x.asar` as a folder, and a user's file may have such a name. */
export const plainFs: Fs = isFs(electronFs) ? electronFs : nodeFs
