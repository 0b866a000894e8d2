// The packages that hold the addon, one per platform.

/**
 * Loads the package of a platform; undefined where there is none.
 *
 * Each name is written out, since bundlers follow no other form, and stands in a `try`, where they
 * forgive that all others are not installed.
 *
 * @returns what the package exports, or why it could not be loaded
 */
export function requirePackage(
  platform: string,
): { exports: unknown } | { cause: unknown } | undefined {
  try {
    switch (platform) {
      case 'darwin-arm64':
        return { exports: require('mintid-darwin-arm64') }
      case 'darwin-x64':
        return { exports: require('mintid-darwin-x64') }
      case 'linux-arm64-gnu':
        return { exports: require('mintid-linux-arm64-gnu') }
      case 'linux-arm64-musl':
        return { exports: require('mintid-linux-arm64-musl') }
      case 'linux-x64-gnu':
        return { exports: require('mintid-linux-x64-gnu') }
      case 'linux-x64-musl':
        return { exports: require('mintid-linux-x64-musl') }
      case 'win32-arm64-msvc':
        return { exports: require('mintid-win32-arm64-msvc') }
      case 'win32-x64-msvc':
        return { exports: require('mintid-win32-x64-msvc') }
      default:
        return undefined
    }
  } catch (cause) {
    return { cause }
  }
}
