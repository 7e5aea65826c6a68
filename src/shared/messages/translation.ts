/** Messages in another language: the keys of the English ones, with any text. A missing or extra key does not compile. */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Translation<English[Key]>
}
