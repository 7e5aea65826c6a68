/** Seconds that a state lasts before it ends by itself, at speed 1. */
export const durations = {
  machineCreating: 90,
  machineStarting: 20,
  machineStopping: 10,
  machineRebooting: 15,
  bareMetalCreating: 240,
  volumeCreating: 8,
  volumeAttaching: 5,
  volumeDetaching: 5,
} as const
