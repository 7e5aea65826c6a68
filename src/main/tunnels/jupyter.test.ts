import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { signedIn } from '../../../test/fixtures/login-shell'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith, findProgram } from '../../../test/fixtures/system-requirements'
import { findJupyter } from './jupyter'

const server = (token: string): string =>
  JSON.stringify({ port: 8888, token, url: 'http://localhost:8888/', base_url: '/' })
const shells = ['bash', 'dash', 'zsh', 'fish', 'tcsh'].flatMap((name) => findProgram(name) ?? [])

describeWith(['sshd'], 'the token of Jupyter outside the PATH', () => {
  it.each(shells)('is read from the runtime file with the login shell %s', async (shell) => {
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

  it('comes from the newest file if a killed server left another', async () => {
    for (const names of [
      ['jpserver-7.json', 'jpserver-12.json'],
      ['jpserver-12.json', 'jpserver-7.json'],
    ]) {
      const home = temporaryFolder()
      onTestFinished(() => rmSync(home, { recursive: true }))
      for (const [at, name] of names.entries()) {
        writeFileSync(join(home, name), server(at === 0 ? 'killed' : 'running'))
        utimesSync(join(home, name), 1_700_000_000 + at, 1_700_000_000 + at)
      }
      const connection = await signedIn('/bin/sh', { variables: () => `JUPYTER_RUNTIME_DIR=${home}` })
      expect(await findJupyter(connection.exec, 8888)).toEqual({ path: '/', token: 'running' })
    }
  })

  it('comes from the newest file if Jupyter lists several servers on the port', async () => {
    const listing = ['#!/bin/sh', `echo '${server('killed')}'`, `echo '${server('running')}'`].join('\n')
    const files = {
      'bin/jupyter': listing,
      '.local/share/jupyter/runtime/jpserver-7.json': server('running'),
    }
    const connection = await signedIn('/bin/sh', {
      files,
      variables: (home) => `PATH=${home}/bin:/usr/bin:/bin`,
    })
    expect(await findJupyter(connection.exec, 8888)).toEqual({ path: '/', token: 'running' })
  })
})
