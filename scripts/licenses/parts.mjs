// What is compiled into the addon and is no crate of the lock file: SQLite, and what compiler and
// linker add to every program.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StepFailed } from '../steps.mjs'

/** SQLite as `{ version, notice }`, of the sources that are bundled with its crate. */
export function sqlite(crates) {
  const crate = crates.find(({ name }) => name === 'libsqlite3-sys')
  const header = readFileSync(join(crate.folder, 'sqlite3', 'sqlite3.h'), 'utf8')
  const [, version] = /^#define SQLITE_VERSION +"([\d.]+)"/m.exec(header) ?? []
  const [, comment] = /^\/\*\n([\s\S]*?)\n\*{9,}/.exec(header) ?? []
  if (!version || !/disclaims copyright/.test(comment)) {
    throw new StepFailed(`${crate.name} ${crate.version}: sqlite3.h has no version or no notice`)
  }
  return { version, notice: comment.replace(/^\*\* ?/gm, '').replace(/^.*\n\n/, '') }
}

/**
 * Which crates are in the standard library depends on the compiler, whose own COPYRIGHT-library.html
 * names them all.
 */
export const STANDARD_LIBRARY = {
  title: "Rust's standard library and runtime",
  license: 'MIT OR Apache-2.0, and others in parts',
  repository: 'https://github.com/rust-lang/rust',
  notice: `Copyright (c) The Rust Project contributors

The Rust Standard Library is dual-licensed under Apache 2.0 and MIT terms, and taken under MIT here,
whose terms are those of the crates above that are under MIT. The same holds for the crates in it,
such as hashbrown, libc, gimli, addr2line, object, miniz_oxide and rustc-demangle. Tables of Unicode
characters in it are under Unicode-3.0, foldhash is under Zlib.

compiler-builtins and, where a platform has none of its own, the unwinder are from LLVM and under
Apache-2.0 WITH LLVM-exception. What Zig adds where it links is its compiler-rt: Copyright (c) Zig
contributors, under MIT.`,
  /** The crate that ships the text of the licence that no crate is taken under. */
  lender: { crate: 'rustix', file: 'LICENSE-Apache-2.0_WITH_LLVM-exception' },
}
