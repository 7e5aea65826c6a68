/** Where the service lies below its host and port. */
export const basePath = '/api/v1'
