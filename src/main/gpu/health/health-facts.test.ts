import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scripts } from '../../check-up/scripts'
import { diskSpaceScript } from '#shared/disk-space'
import { kernelLogScript } from '#shared/kernel-log'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { coresCommand, fullIn, healthFacts, healthScript, recentXids } from './health-facts'

const output = `== memory
MemTotal:       231113512 kB
MemFree:        99 kB
MemAvailable:   131113512 kB
SwapTotal:       8388604 kB
SwapFree:        8388604 kB
== load
13.00 12.20 11.90 3/412 99
== cores
26
== disk
Filesystem     1024-blocks     Used Available Capacity Mounted on
/dev/vda1        101428740 31457280  69955076      32% /
== rows
index, remapped_rows.pending
0, No
1, Yes
== recovery
index, gpu_recovery_action
0, None
`

describe('the health of a machine', () => {
  it('is read from the answers of one script', () => {
    expect(healthFacts(output)).toEqual({
      memory: { total: 231_113_512 * 1_024, used: 100_000_000 * 1_024 },
      swap: { total: 8_388_604 * 1_024, used: 0 },
      load: 0.5,
      xids: null,
      disks: [{ mount: '/', total: (31_457_280 + 69_955_076) * 1_024, used: 31_457_280 * 1_024 }],
      defects: ['pending-remap'],
    })
  })

  it.each(['Reset', 'GPU Reset', 'Drain P2P', 'Drain and Reset'])('finds the recovery action %s', (action) =>
    expect(healthFacts(output.replace('0, None', `0, ${action}`)).defects).toContain('recovery-action'),
  )

  it.each(['[N/A]', 'N/A', '[Not Supported]', 'Unknown Error', '[GPU is lost]'])(
    'finds no action in %s',
    (cell) => expect(healthFacts(output.replace('0, None', `0, ${cell}`)).defects).toEqual(['pending-remap']),
  )

  it('finds no recovery action in the complaint of an older driver', () => {
    const complaint = 'Field "gpu_recovery_action" is not a valid field to query.'
    expect(healthFacts(output.replace(/index, gpu_recovery_action\n.*/, complaint)).defects).toEqual([
      'pending-remap',
    ])
  })

  it('is unknown on a machine without the tools', () => {
    expect(healthFacts('== memory\ncat: not found\n== load\n')).toEqual({
      memory: null,
      swap: null,
      load: null,
      xids: null,
      disks: [],
      defects: [],
    })
  })

  it('counts the cores despite variables that limit programs', () => {
    const env = { ...process.env, OMP_NUM_THREADS: '1', OMP_THREAD_LIMIT: '1' }
    const count = (script: string, limits: NodeJS.ProcessEnv): string =>
      spawnSync('/bin/sh', ['-c', script], { env: limits, encoding: 'utf8' }).stdout
    expect(count('nproc', env)).toBe('1\n')
    expect(count(coresCommand, env)).toBe(count(coresCommand, process.env))
    expect(healthScript).toContain(coresCommand)
    expect(scripts.system).toContain(coresCommand)
  })

  it('is read without changing anything', () =>
    expect(healthScript.replaceAll('2>/dev/null', '')).not.toMatch(/>\s*[^&\s]|rm |dd /))
})

describe('the disks of a machine', () => {
  const rows = (...lines: readonly string[]) =>
    healthFacts(`== disk\nFilesystem 1024-blocks Used Available Capacity Mounted on\n${lines.join('\n')}\n`)
      .disks

  it('have the space that programs may fill, without the blocks reserved for root', () => {
    expect(rows('/dev/vda1 100 90 5 95% /')).toEqual([{ mount: '/', total: 95 * 1_024, used: 90 * 1_024 }])
  })

  it('are each listed once, with their mount points', () => {
    const disks = rows(
      'overlay 100 90 5 95% /',
      '/dev/vda1 100 90 5 95% /home/anna',
      '/dev/vdb1 1000 1 999 1% /mnt/my data',
      'none 0 0 0 - /proc',
    )
    expect(disks.map(({ mount }) => mount)).toEqual(['/', '/mnt/my data'])
  })

  it('are measured by a script that runs in a plain shell, without overlays, memory and networks', () => {
    const mounts = [
      'overlay / overlay rw 0 0',
      'tmpfs /tmp tmpfs rw 0 0',
      'server:/share /mnt ext4.nfs rw 0 0',
      'server:/share /mnt nfs4 rw 0 0',
      '/dev/a /usr ext4 rw,relatime 0 0',
      '/dev/a /var ext4 rw,relatime 0 0',
      '/dev/b /etc/hosts ext4 rw,relatime 0 0',
      '/dev/c /bin xfs ro,relatime 0 0',
      '/dev/d /with\\040space xfs rw 0 0',
      '/dev/e /etc xfs rw 0 0',
    ]
    const folder = temporaryFolder()
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'mounts'), `${mounts.join('\n')}\n`)
    writeFileSync(join(folder, 'df'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    const script = diskSpaceScript.replace('/proc/mounts', join(folder, 'mounts'))
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` }
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['-Pk / /usr /etc\n', ''])
  })
})

describe('the time until a disk is full', () => {
  const gigabyte = 1e9
  it('follows the rate of the samples', () => {
    const samples = [
      { at: 0, used: 50 * gigabyte },
      { at: 3_600, used: 60 * gigabyte },
    ]
    expect(fullIn(samples, 100 * gigabyte)).toBe(4 * 3_600)
  })
  it('is unknown for twenty minutes, for a disk that does not fill, and for a far future', () => {
    expect(
      fullIn(
        [
          { at: 0, used: 1 },
          { at: 600, used: 2 },
        ],
        10,
      ),
    ).toBeNull()
    expect(
      fullIn(
        [
          { at: 0, used: 5 },
          { at: 3_600, used: 5 },
        ],
        10,
      ),
    ).toBeNull()
    expect(
      fullIn(
        [
          { at: 0, used: 1 },
          { at: 3_600, used: 2 },
        ],
        1_000_000,
      ),
    ).toBeNull()
    expect(fullIn([], 10)).toBeNull()
  })
})

describe('the kernel’s log', () => {
  const xid = 'NVRM: Xid (PCI:0000:01:00): 31, pid=4711, name=python3, MMU Fault'
  /** Runs the script with programs that print this in place of dmesg and journalctl. */
  function logged(dmesg: string, journal: string): ReturnType<typeof recentXids> {
    const folder = temporaryFolder()
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const [name, lines] of [
      ['dmesg', dmesg],
      ['journalctl', journal],
    ] as const)
      writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` }
    const { stdout } = spawnSync('/bin/sh', ['-c', kernelLogScript], { env, encoding: 'utf8' })
    return recentXids(stdout, 100_000)
  }
  const denied = 'echo "dmesg: read kernel buffer failed: Operation not permitted" >&2; exit 1'
  const other = 'echo "[2.0] audit: type=1400 avc:  denied  { read }"'

  it('has Xid lines of the last day, from dmesg or from the journal', () => {
    expect(logged(`${other}; echo "[99000.5] ${xid}"; echo "[1.0] ${xid}"`, 'exit 1')).toEqual([
      `[99000.5] ${xid}`,
    ])
    expect(logged(denied, `echo "[99000.5] host kernel: ${xid}"`)).toEqual([`[99000.5] host kernel: ${xid}`])
    expect(logged(other, `echo "[99000.5] ${xid}"`)).toEqual([])
  })
  it('is unknown if this user may read neither', () => {
    expect(logged(denied, 'exit 1')).toBeNull()
    expect(logged('exec no-such-program', 'exec no-such-program')).toBeNull()
    expect(recentXids(undefined, null)).toBeNull()
  })
  it('is a defect of the machine', () => {
    const text = `${output}== uptime\n6000.00 1.0\n== kernel\nreadable\n[ 5123.1] ${xid}\n`
    expect(healthFacts(text)).toMatchObject({
      xids: [`[ 5123.1] ${xid}`],
      defects: ['pending-remap', 'xid'],
    })
  })
})
