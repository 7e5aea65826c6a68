import { expect, it } from 'vitest'
import { signedIn } from '../../../test/fixtures/login-shell'
import { describeWith, findProgram } from '../../../test/fixtures/system-requirements'
import { findJupyter } from './jupyter'

const server = (token: string): string =>
  JSON.stringify({ port: 8888, token, url: 'http://localhost:8888/', base_url: '/' })
const shells = ['bash', 'dash', 'zsh', 'fish', 'tcsh'].flatMap((name) => findProgram(name) ?? [])

describeWith(['sshd'], 'the token of Jupyter outside the PATH', () => {
  it.each(shells)('is found in its runtime file with the login shell %s', async (shell) => {
    const files = { '.local/share/jupyter/runtime/jpserver-7.json': server('abc') }
    const connection = await signedIn(shell, { files })
    expect(await findJupyter(connection.exec, 8888)).toEqual({ path: '/', token: 'abc' })
  })

  it.each([
    ['JUPYTER_RUNTIME_DIR', 'run time', ''],
    ['JUPYTER_DATA_DIR', 'data', 'runtime/'],
    ['XDG_DATA_HOME', 'share', 'jupyter/runtime/'],
    ['XDG_RUNTIME_DIR', 'run', 'jupyter/'],
  ])('is found in the folder of %s', async (name, folder, below) => {
    const files = { [`${folder}/${below}nbserver-7.json`]: server('abc') }
    const connection = await signedIn('/bin/sh', {
      files,
      variables: (home) => `"${name}=${home}/${folder}"`,
    })
    expect(await findJupyter(connection.exec, 8888)).toEqual({ path: '/', token: 'abc' })
  })
})
