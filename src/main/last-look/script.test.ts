import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeMachine, testTime } from '../../sandbox/ssh/fixtures/machines'
import { shellOn } from '../../sandbox/ssh/fixtures/shells'
import { runLine } from '../../sandbox/ssh/shell/run-line'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { branchesScript } from './branches'
import { lookOf } from './look-of'
import { lookScript } from './script'

describe('the script of the last look', () => {
  it('and the script for branches are printed in the documentation as they are sent', () => {
    const page = readFileSync('docs/last-look.md', 'utf8')
    const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim())
    expect(blocks).toEqual([lookScript('delete'), branchesScript('/home/anna/my work').trim()])
  })

  it('is valid for /bin/sh', () => {
    for (const before of ['stop', 'delete'] as const) {
      const { stderr, status } = spawnSync('/bin/sh', ['-n'], { input: lookScript(before), encoding: 'utf8' })
      expect([stderr, status]).toEqual(['', 0])
    }
  })

  it('is answered by machines of the sandbox', async () => {
    const machine = makeMachine({ workload: () => 'training', gpu: 'NVIDIA H100 80GB SXM', gpuCount: 2 })
    let answer = ''
    for await (const { data } of runLine(lookScript('delete'), shellOn(machine))) answer += String(data)
    const look = lookOf(answer, 'delete', testTime)
    expect(look.repositories).toMatchObject([{ changes: 3, unpushed: 2, stashes: 1, problem: null }])
    expect([look.cleanRepositories, look.files.length, look.gaps]).toEqual([1, 1, []])
  })

  /** Runs the script on this computer with other mounts. Returns the mounts that are searched, and the gaps. */
  function searched(lines: readonly string[]): readonly string[] {
    const root = temporaryFolder()
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const mounts = join(root, 'mounts')
    const data = join(root, 'data')
    const inHome = join(root, 'home/data')
    mkdirSync(data)
    mkdirSync(inHome, { recursive: true })
    writeFileSync(
      mounts,
      `${lines.map((line) => line.replaceAll('@home', inHome).replace('@data', data)).join('\n')}\n`,
    )
    const script = lookScript('delete', {
      seconds: 300,
      mounts,
      folders: `${root}/none*`,
    })
    const env = { PATH: process.env.PATH, HOME: join(root, 'home'), TMUX_TMPDIR: root, SCREENDIR: root }
    const { stdout } = spawnSync('/bin/sh', { input: script, env, encoding: 'utf8' })
    expect(stdout.trimEnd()).toMatch(/\nend$/)
    return stdout
      .split('\n')
      .filter((line) => /^(?:place mount|gap files)/.test(line))
      .map((line) => line.replace(inHome, '@home').replace(data, '@data'))
  }
  const options = 'zfs rw,relatime,xattr,posixacl 0 0'
  /** Datasets of Ubuntu's installer. */
  const ubuntuOnZfs = [
    `rpool/ROOT/ubuntu_ab12cd / ${options}`,
    `bpool/BOOT/ubuntu_ab12cd /boot ${options}`,
    '/dev/nvme0n1p1 /boot/efi vfat rw,relatime,fmask=0022,dmask=0022 0 0',
    ...[
      '/srv',
      '/usr/local',
      '/var/games',
      '/var/lib',
      '/var/lib/AccountsService',
      '/var/lib/NetworkManager',
      '/var/lib/apt',
      '/var/lib/dpkg',
      '/var/log',
      '/var/mail',
      '/var/snap',
      '/var/spool',
      '/var/www',
    ].map((folder) => `rpool/ROOT/ubuntu_ab12cd${folder} ${folder} ${options}`),
    `rpool/USERDATA/root_ab12cd /root ${options}`,
  ]

  it('searches and reports no dataset of the system on Ubuntu with ZFS', () => {
    expect(searched(ubuntuOnZfs)).toEqual([])
  })

  it('searches a dataset inside the home folder, whatever its name', () => {
    expect(searched([...ubuntuOnZfs, `rpool/ROOT/ubuntu_ab12cd@home @home ${options}`])).toEqual([
      'place mount @home',
    ])
  })

  it('searches datasets that the user made, and reports them in places of the system', () => {
    expect(
      searched([
        ...ubuntuOnZfs,
        `rpool/data @data ${options}`,
        `rpool/srv /srv ${options}`,
        `rpool/pg /var/lib/apt ${options}`,
        `tank/docker /var/lib/dpkg ${options}`,
      ]),
    ).toEqual([
      'place mount @data',
      'place mount /srv',
      'gap files not-searched /var/lib/apt',
      'gap files not-searched /var/lib/dpkg',
    ])
    // Container images of Docker belong to its folder, as on any disk of the root.
    const image = `rpool/ROOT/ubuntu_ab12cd/var/lib/5f70bf18 /var/lib/dpkg/info ${options}`
    expect(searched([...ubuntuOnZfs, image])).toEqual([])
    const other = ['/dev/vda1 / ext4 rw 0 0', `rpool/ROOT/ubuntu_ab12cd/var/lib /var/lib ${options}`]
    expect(searched(other)[0]).toBe('place mount /var/lib')
  })
})
