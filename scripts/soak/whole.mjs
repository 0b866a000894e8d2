// How the soak tells the tests that it wants their huge counts whole.

/** A variable of the environment, and its value. */
export const WHOLE = { name: 'MINTID_SOAK', value: 'whole' }
