// What the providers are called. Text, so that Nest's own messages can be read, and so that two
// copies of the package mean the same.

/** The `Ids` of the application, or the `LoadedIds` of its configuration. */
export const IDS = 'mintid:ids'

export const getIdsToken = (): string => IDS

export const getGeneratorToken = (name: string): string => `mintid:generator:${name}`
