import { readonly, ref } from 'vue'

const words = ref('')

/** What a screen reader is told next; shown by the live region of App.vue. */
export const announcement = readonly(words)

export function announce(text: string): void {
  // The same words twice in a row would not be read again: an invisible space makes them differ.
  words.value = words.value === text ? `${text}\u200b` : text
}
