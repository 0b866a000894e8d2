// The end of a store with its application, for every framework alike.

/** An application is to end within seconds: a machine number that is not given back runs out. */
export const CLOSE_LIMIT_MS = 2000

/** Whether a closing was done in time. What it fails with is thrown, unless that is late too. */
export async function isClosedInTime(closing: Promise<void> | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS, false)
  })
  try {
    return await Promise.race([Promise.resolve(closing).then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
