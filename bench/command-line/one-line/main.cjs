// The yardstick of a command: the same program prints one line and ends before it is ready.
process.stdout.write('one line\n', () => process.exit(0))
