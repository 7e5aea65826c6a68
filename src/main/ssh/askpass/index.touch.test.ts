import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { askpassHarness, type AskpassOptions } from '../../../../test/fixtures/askpass-harness'
import { describeWith } from '../../../../test/fixtures/system-requirements'

const words = 'Confirm user presence for key ED25519-SK SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDvHc9Gqqt1RbCiuvU'

/** The program as ssh starts it to show this: nothing to read, nowhere to write, and ended once the key was touched (readpass.c). */
async function notify(options: AskpassOptions, hint = 'none') {
  const harness = await askpassHarness(options)
  const listening = (await harness.listen()) ?? expect.fail('nobody listens')
  const env: NodeJS.ProcessEnv = { ...process.env, ...listening.env, SSH_ASKPASS_PROMPT: hint }
  const notifier = spawn(env['SSH_ASKPASS'] ?? '', [words], { env, stdio: 'ignore' })
  const shown = () => harness.askpass.handlers['askpass.questions']({})
  return { ...harness, notifier, shown, ended: once(notifier, 'exit') }
}

describeWith(['ssh'], 'the touch of a hardware key', () => {
  it('is shown while ssh waits for it', async () => {
    const { asked, notifier, ended, shown } = await notify({ person: () => undefined })
    await expect.poll(() => asked, { timeout: 20_000 }).toMatchObject([{ kind: 'touch', subject: words }])
    expect(asked[0]).toMatchObject({ machine: 'trainer', isAgain: false })
    notifier.kill('SIGTERM')
    await ended
    await expect.poll(shown).toEqual([])
  })

  it('is no longer shown once the user closes the notice', async () => {
    const { asked, ended, shown } = await notify({ person: () => null })
    expect(await ended).toEqual([1, null])
    expect(asked).toMatchObject([{ kind: 'touch' }])
    expect(await shown()).toEqual([])
  })

  it('is not shown in the background', async () => {
    const { asked, ended } = await notify({ isSilent: true })
    expect(await ended).toEqual([1, null])
    expect(asked).toEqual([])
  })

  it('does not confirm the use of a key', async () => {
    const { asked, ended } = await notify({ person: () => undefined }, 'confirm')
    expect(await ended).toEqual([1, null])
    expect(asked).toEqual([])
  })
})
