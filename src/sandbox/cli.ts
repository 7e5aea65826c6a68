import { readOptions, usage } from './command-line'
import { startSandbox } from './sandbox'

const fail = (error: unknown): void => {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const options = await readOptions(process.argv.slice(2))
  if (options === undefined) {
    process.stdout.write(usage)
    return
  }
  const { close, ...access } = await startSandbox(options)
  process.stdout.write(`${JSON.stringify(access)}\n`)
  const stop = (): void => {
    close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

main().catch(fail)
