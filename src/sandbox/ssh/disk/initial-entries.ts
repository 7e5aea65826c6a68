import type { Workload } from '../../cloud/records'
import { repositoryEntries } from '../shell/repositories'
import { type InitialEntry, ordinaryUid } from './disk'

const readme = (host: string): string => `# ${host}

This is a machine of the Wheelhouse sandbox. Its disk is a piece of memory: copy files here and back, make
folders, remove them. Everything is gone when the sandbox stops.

Stand-ins for Jupyter and TensorBoard listen on this machine's own ports 8888 and 6006:

    ssh -L 8888:localhost:8888 …
`

const training = `import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(f"training on {device}")
`

const notebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": ["!nvidia-smi"]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

const release = `PRETTY_NAME="Wheelhouse sandbox"
NAME="Linux"
ID=linux
`

/** Returns the system files, the home and the repositories of a new machine. */
export const initialEntries = (
  host: string,
  home: string,
  workload: Workload = 'idle',
): readonly InitialEntry[] => {
  const system = (path: string, content?: string): InitialEntry => ({
    path,
    permissions: content === undefined ? 0o755 : 0o644,
    uid: 0,
    ...(content === undefined ? {} : { content }),
  })
  const own = (path: string, content?: string): InitialEntry => ({
    ...system(`${home}${path}`, content),
    uid: ordinaryUid,
  })
  return [
    system('/etc'),
    system('/etc/hostname', `${host}\n`),
    system('/etc/os-release', release),
    system('/home'),
    { path: '/tmp', permissions: 0o1777, uid: 0 },
    own(''),
    own('/README.md', readme(host)),
    own('/train.py', training),
    own('/notebooks'),
    own('/notebooks/first-look.ipynb', notebook),
    ...repositoryEntries(workload).map(({ path, content }) => own(path, content ?? undefined)),
  ]
}
