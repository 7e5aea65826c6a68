/** The name that the service generates for a volume, by which a machine is started from it. */
export const volumeName = (id: string): string => `vol-${id.slice(0, 12)}`
