// A table as scripts print it.

/** Rows of text under a head of as many columns. */
export function printTable(head, rows) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((cells) => cells[i].length)))
  const line = (cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width))
  process.stdout.write(`${[head, rule, ...rows].map(line).join('\n')}\n\n`)
}

/** Bytes, as sizes of packages are told. */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
