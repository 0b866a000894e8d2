// The code under test: it sells numbered tickets, and asks people to come again while it has none.

/** `ids` is given to it, so that a test can give it another. */
exports.openDesk = (ids) => {
  const tickets = ids.segment('tickets')
  return {
    async sell(guest) {
      try {
        // An id goes out as text: JSON has no bigint.
        return { guest, ticket: String(await tickets.next()) }
      } catch (error) {
        if (error.retryable) return { guest, sorry: 'come again in a moment' }
        throw error
      }
    },
  }
}
