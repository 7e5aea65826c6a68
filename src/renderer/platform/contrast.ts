function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(text: string, ground: string): number {
  const luminances = [luminance(text), luminance(ground)]
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}
