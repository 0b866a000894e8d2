// Where results go.

/** Writes to standard output; settles when it has been taken, and rejects when it cannot be. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

/** A value as one line of JSON. */
export const printJson = (value: unknown): Promise<void> => print(`${JSON.stringify(value)}\n`)

/** Writes to standard error, which carries messages and never a result. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Without listeners a reader that goes away would end the process with a stack. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Whether a failure says that nobody reads any more, as in `mintid next orders -n 9 | head -1`. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
