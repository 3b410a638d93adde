/** Where the guides are. */
export const docsPath = '/docs'
/** The reference of every address of this server. */
export const apiPath = `${docsPath}/api`
/** Most characters of a question to the guides that are read. */
export const longestSearch = 120
/** Stands in the guides for the address of the repository, which only a running server knows. */
export const repositoryMark = 'repository:'
