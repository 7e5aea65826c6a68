import { kernelLogScript } from '#shared/kernel-log'
import { coresCommand } from '../gpu/health/health-facts'
import { amdQuery } from '../gpu/tools/amd-smi'
import { nvidiaSection } from '../gpu/tools/sections'

const counters = 'clocks_event_reasons_counters'

/** File that the test of the disk writes and removes, in the home folder. */
const testFile = '"$HOME/.wheelhouse-check-up"'
/** Runs by itself only if the test of the disk was stopped. */
export const removeTestFile = `rm -f ${testFile}`
/** Size of that file, and of the data that the test of the network reads, in MB of 1,048,576 bytes. */
const testMegabytes = { disk: 256, network: 32 } as const

/** Time that heat slowed the GPUs, in microseconds since the driver was loaded. The power limit slows every GPU at work. */
const slowedScript = nvidiaSection(
  'slowed',
  `${counters}.sw_thermal_slowdown,${counters}.hw_thermal_slowdown`,
)

/**
 * Scripts for /bin/sh, in order. Each answer begins with a line `== name`. Fields that older drivers reject are in separate
 * queries, so that a rejected field costs only its own query.
 */
export const scripts = {
  system: [
    'echo "== time"; date +%s',
    `echo "== cores"; ${coresCommand}`,
    'echo "== memory"; cat /proc/meminfo',
    'echo "== disk"; df -Pk / "$HOME"',
  ].join('\n'),
  gpus: [
    nvidiaSection('gpus', 'driver_version,utilization.gpu,memory.total,persistence_mode,name'),
    nvidiaSection(
      'pcie',
      'pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max',
    ),
    // `max` is the slot's generation if the slot is older than the GPU.
    nvidiaSection('pcie-gpu', 'pcie.link.gen.gpumax'),
    nvidiaSection('ecc', 'ecc.errors.uncorrected.volatile.total,ecc.errors.uncorrected.aggregate.total'),
    slowedScript,
  ].join('\n'),
  health: [
    nvidiaSection('rows', 'remapped_rows.uncorrectable,remapped_rows.pending,remapped_rows.failure'),
    nvidiaSection('recovery', 'gpu_recovery_action'),
    'echo "== links"; env LC_ALL=C nvidia-smi nvlink -s 2>&1',
    'echo "== table"; env LC_ALL=C nvidia-smi 2>&1',
  ].join('\n'),
  /** Runs if nvidia-smi reports no GPU. */
  amd: amdQuery(false),
  kernelLog: kernelLogScript,
  disk: [
    `env LC_ALL=C dd if=/dev/zero of=${testFile} bs=1048576 count=${String(testMegabytes.disk)} conv=fsync`,
    removeTestFile,
  ].join('\n'),
  network: `dd if=/dev/urandom bs=1048576 count=${String(testMegabytes.network)} 2>/dev/null`,
  slowed: slowedScript,
} as const
