// One implementation, in CommonJS; a second one would be a second state.

export { connect, createIds, Ids, MintIdError } from './index.js'
