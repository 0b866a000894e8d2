// What the npm packages in our lock files may be. None of them is in what is published: they build,
// test and measure. Entries that no lock file needs any more are complained about.

export const NPM_POLICY = {
  /** What the published package brings along: nothing, as the bill of materials says too. */
  runtime: [],

  /** Beside those that deny.toml allows: good enough for tools, which we pass on to nobody. */
  toolLicenses: ['0BSD', 'BSD-2-Clause', 'BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'PSF-2.0'],

  /** Where the lock file has no SPDX expression: what the package itself says. */
  licenseOf: {
    'busboy@1.6.0': 'MIT',
    'flake-idgen@1.4.0': 'MIT',
    'nodejs-snowflake@2.0.1': 'Apache-2.0',
    'streamsearch@1.1.0': 'MIT',
  },

  /** Packages that run something when they are installed, and why that may be. */
  installScripts: {
    '@nestjs/core': 'Nest 10: asks for donations',
    '@parcel/watcher': 'jest: compiles where no binary package fits the platform',
    esbuild: 'vite, of vitest: checks that its binary package is there',
  },

  /** Packages that their authors advise against, and why we have them all the same. */
  deprecated: {},
}
