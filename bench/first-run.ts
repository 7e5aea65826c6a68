// A cold start of the packaged application without an account, until its two choices are painted. Yardstick: an empty
// window in the same Electron.
import { measureStart } from './start/measure-start'

await measureStart({
  bench: 'first-run',
  what: 'first start until the two choices can be clicked',
  rounds: Number(process.argv[2] ?? 7),
  probe: `
    const choices = () => [...document.querySelectorAll('button')]
      .filter((button) => /Connect to your service|Look around first/.test(button.innerText))
    await until(() => choices().length === 2)
    return painted()`,
})
