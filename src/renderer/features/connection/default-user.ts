/** Users that the cloud images of distributions create, by the word in the image's name. */
const users: readonly (readonly [word: RegExp, user: string])[] = [
  [/ubuntu/i, 'ubuntu'],
  [/debian/i, 'debian'],
  [/fedora/i, 'fedora'],
  [/rocky/i, 'rocky'],
  [/alma/i, 'almalinux'],
  [/centos/i, 'cloud-user'],
  [/arch/i, 'arch'],
]

/** Returns the user that an image probably has, as a suggestion; empty if its name gives no hint. */
export const defaultUser = (image: string | null): string =>
  users.find(([word]) => word.test(image ?? ''))?.[1] ?? ''
