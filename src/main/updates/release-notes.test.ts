import { describe, expect, it } from 'vitest'
import { plainNotes } from './release-notes'

describe('release notes', () => {
  it('keep the lines and lists of GitHub’s HTML as plain text', () => {
    const html =
      '<h2>New</h2>\n<ul>\n<li>Faster &amp; <b>calmer</b></li>\n<li>A &lt;b&gt; tag</li>\n</ul><p>Thanks<br>all</p>'
    expect(plainNotes(html)).toBe('New\n\n- Faster & calmer\n- A <b> tag\n\nThanks\nall')
  })

  it('lose scripts, styles and tags', () => {
    const hostile =
      '<script>evil()</script><img src=x onerror="evil()">Hello<style>p{}</style><!-- hidden --><script>cut'
    expect(plainNotes(hostile)).toBe('Hello')
  })

  it.each([' ', '\n', '<a', '<li ', '<script'])(
    'are read up to their limit although they contain only %j',
    (text) => {
      const most = plainNotes(text.repeat(16_000))
      expect(most).toBe(plainNotes(text.repeat(32_000)))
      expect(most).toBe(text.startsWith('<') ? text.repeat(16_000).slice(0, 4_000) : '')
    },
  )

  it('stay plain text, with a bounded length', () => {
    expect(plainNotes('Uses 3 < 4 GB, and a<b works')).toBe('Uses 3 < 4 GB, and a<b works')
    expect(plainNotes('&#x1F680; &#39;ok&#39; &constructor; &#9999999;')).toBe(
      "🚀 'ok' &constructor; &#9999999;",
    )
    expect(plainNotes('x'.repeat(100_000))).toHaveLength(4_000)
  })
})
