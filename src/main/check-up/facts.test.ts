import { describe, expect, it } from 'vitest'
import { sections } from '../gpu/tools/sections'
import { scripts } from './scripts'
import { diskOf, factsOf, gpuFieldsOf, heatOf, writeSpeed } from './facts'

/** As printed by driver 580.159.04 on an H100, with other figures of links. */
const output = `== time
1795268000
== cores
26
== memory
MemTotal:       231113512 kB
MemFree:        99 kB
== disk
Filesystem     1024-blocks     Used Available Capacity Mounted on
/dev/vda1        101428740 31457280  69955076      32% /
/dev/vdb1        999999999 11111111 888888888      2% /home
== gpus
index, driver_version, utilization.gpu [%], memory.total [MiB], persistence_mode, name
0, 580.159.04, 100 %, 81559 MiB, Enabled, NVIDIA H100 80GB HBM3
== pcie
index, pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max
0, 5, 5, 16, 16
== ecc
index, ecc.errors.uncorrected.volatile.total, ecc.errors.uncorrected.aggregate.total
0, 0, 0
== slowed
index, clocks_event_reasons_counters.sw_thermal_slowdown [us], clocks_event_reasons_counters.hw_thermal_slowdown [us]
0, 1200 us, 0 us
== rows
Field "remapped_rows.pending" is not a valid field to query.
== links
GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)
	 Link 0: 26.562 GB/s
	 Link 1: <inactive>
== table
| NVIDIA-SMI 580.159.04             Driver Version: 580.159.04     CUDA Version: 13.0     |
`

describe('the facts of a machine', () => {
  const { others: answers } = sections(output)
  it('are read from the sections of the scripts', () => {
    expect(factsOf(answers, 1_795_268_002)).toMatchObject({
      clock: { own: 1_795_268_000, ours: 1_795_268_002 },
      cores: 26,
      memoryBytes: 231_113_512 * 1_024,
      cuda: '13.0',
      links: [true, false],
    })
  })

  it('include the fields of each GPU without units, and no field that the driver rejects', () => {
    expect(gpuFieldsOf(answers)).toEqual([
      {
        index: '0',
        driver_version: '580.159.04',
        'utilization.gpu': '100',
        'memory.total': '81559',
        persistence_mode: 'Enabled',
        name: 'NVIDIA H100 80GB HBM3',
        'pcie.link.gen.current': '5',
        'pcie.link.gen.max': '5',
        'pcie.link.width.current': '16',
        'pcie.link.width.max': '16',
        'ecc.errors.uncorrected.volatile.total': '0',
        'ecc.errors.uncorrected.aggregate.total': '0',
      },
    ])
  })

  it('count the time of heat', () => expect(heatOf(answers, answers)).toEqual({ before: 1_200, during: 0 }))

  it('include no counter of the power limit, which slows every GPU at work', () =>
    expect(scripts.slowed).not.toContain('power'))

  it('count the time of heat of each GPU', () => {
    const slowed = (first: number, second: number) =>
      sections(
        `== slowed\nindex, hw_thermal_slowdown [us]\n0, ${String(first)} us\n1, ${String(second)} us\n`,
      ).others
    expect(heatOf(slowed(9_000, 0), slowed(9_000, 5_000))).toEqual({ before: 9_000, during: 5_000 })
    expect(heatOf(sections('').others, slowed(1, 1))).toBeNull()
  })

  it('separate the disk of the system from the disk of the home folder', () => {
    expect(diskOf(answers.get('disk'))).toEqual({
      total: 101_428_740 * 1_024,
      used: 31_457_280 * 1_024,
      freeAtHome: 888_888_888 * 1_024,
    })
    expect(diskOf('df: command not found')).toBeNull()
  })
})

describe('the speed of the disk', () => {
  it('is read from the dd of GNU and of busybox', () => {
    expect(writeSpeed('268435456 bytes (268 MB, 256 MiB) copied, 0.25 s, 1.1 GB/s')).toBeCloseTo(1_073.7, 1)
    expect(writeSpeed('268435456 bytes (256.0MB) copied, 0.500000 seconds, 512.0MB/s')).toBeCloseTo(536.9, 1)
    expect(writeSpeed('dd: No space left on device')).toBeNull()
  })
})
