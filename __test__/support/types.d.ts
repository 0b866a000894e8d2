// What type tests have in common; nothing of it is ever run.

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Holds the type of a value against another, without widening either. */
export declare function is<Expected>(): <Actual>(
  value: Actual,
  ...same: Equal<Actual, Expected> extends true ? [] : [never]
) => void
