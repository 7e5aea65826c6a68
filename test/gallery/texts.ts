/** Texts from a service, a file or a user that must not harm any component. */
export const texts = {
  long: 'pretraining-run-of-the-language-group-with-a-name-that-nobody-would-type-by-hand-2026-03-14-attempt-27',
  words:
    'The service could not reserve the hardware in the region that was asked for, because the rack is being serviced until tomorrow morning; choose another region, or try again later.',
  html: '<img src=x onerror="globalThis.galleryHarmed=1"><b>bold</b><script>globalThis.galleryHarmed=1</script>',
  /** Control characters, a terminal's colours, an unterminated direction override, zero width. */
  control: 'node\u0000\u0007\u001b[31mred\u001b[0m \u202Egnp.exe\u2066 z\u200Bero',
  rtl: 'خادم التدريب – שרת אימון 7',
  /** One megabyte, pasted or repeated by a service. */
  huge: 'overflow '.repeat(116_509),
} as const
